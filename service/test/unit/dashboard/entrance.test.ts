import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { isFromOwnPage, readNext } from '../../../src/dashboard/request.js';

describe('the page after sign-in', () => {
  const service = { publicUrl: 'https://fraud.example/whorl' };

  test('is a page of the dashboard, with its query', () => {
    for (const next of ['/whorl/dashboard', '/whorl/dashboard/7/live/users?page=2&x=%2F']) {
      expect(readNext(service, next)).toBe(next);
    }
  });

  test.each([
    'https://evil.example/whorl/dashboard',
    '//evil.example/whorl/dashboard',
    '/\\evil.example/whorl/dashboard',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/whorl/dashboard/../../evil',
    '/whorl/dashboards',
    '/dashboard',
    '/docs',
    '',
  ])('is never %j', (next) => {
    expect(readNext(service, next)).toBeUndefined();
  });
});

describe('a form', () => {
  const check = async (headers: Record<string, string>) => {
    const app = new Hono().post('/', (c) => c.text(String(isFromOwnPage(c, 'https://fraud.example'))));
    return (
      await app.request('http://10.0.0.1:4200/', { method: 'POST', headers: { Host: '10.0.0.1:4200', ...headers } })
    ).text();
  };

  test.each([
    { 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'https://fraud.example' },
    { Origin: 'http://10.0.0.1:4200' },
    { Origin: 'null' },
    {},
  ])('is from our page: %j', async (headers) => {
    expect(await check(headers)).toBe('true');
  });

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://fraud.example' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://evil.example' },
    { Origin: 'https://fraud.example.evil.example' },
    { Origin: 'nonsense' },
  ])('is not from our page: %j', async (headers) => {
    expect(await check(headers)).toBe('false');
  });
});
