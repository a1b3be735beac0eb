import { describe, expect, test } from 'vitest';
import { readReturnAddress } from '../../../src/resources/projects/rules/return-addresses.js';
import { settingsSchema } from '../../../src/resources/projects/rules/settings.js';

const allowed = ['https://shop.example', 'https://www.shop.example/account/', 'http://localhost:4100'];

describe('an allowed return URL', () => {
  test.each([
    'https://shop.example/',
    'https://shop.example/login?next=%2Fcart#top',
    'https://shop.example/login?next=https://evil.example',
    'https://www.shop.example/account',
    'https://www.shop.example/account/orders?page=2',
    'http://localhost:4100/',
  ])('%s', (address) => {
    expect(readReturnAddress(address, allowed)).toBe(address);
  });

  test('is normalised as browsers do', () => {
    expect(readReturnAddress('HTTPS://SHOP.example:443/a/../b', allowed)).toBe('https://shop.example/b');
    expect(readReturnAddress('https:\\\\shop.example\\b', allowed)).toBe('https://shop.example/b');
  });
});

describe('a return URL that leads elsewhere', () => {
  test.each([
    '',
    '/',
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'https://evil.example',
    'https://evil.example/https://shop.example',
    'https://shop.example.evil.example/',
    'https://evilshop.example/',
    'https://sub.shop.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:443@evil.example/',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'http://shop.example/',
    'https://shop.example:8443/',
    'https://shop.example\u3002evil.example/',
    'https:evil.example',
    'https://www.shop.example/',
    'https://www.shop.example/accounting',
    'https://www.shop.example/account/../admin',
    'https://www.shop.example/account/%2e%2e/admin',
    'https://www.shop.example/Account/',
    'http://localhost:4101/',
    'http://127.0.0.1:4100/',
    'javascript:alert(1)//https://shop.example',
    'data:text/html,https://shop.example',
    'java\nscript:alert(1)',
    `https://shop.example/${'a'.repeat(5000)}`,
  ])('%.60s', (address) => {
    expect(readReturnAddress(address, allowed)).toBeUndefined();
  });

  test('is rejected if no URLs are allowed', () => {
    expect(readReturnAddress('https://shop.example/', [])).toBeUndefined();
    expect(readReturnAddress(undefined, allowed)).toBeUndefined();
  });
});

test.each([
  'shop.example',
  '*',
  'https://*.shop.example',
  'https://shop.example/?a=b',
  '/account',
  'javascript:',
  'https://a@shop.example',
])('the list rejects %s', (entry) => {
  expect(settingsSchema.safeParse({ challenge_page: { return_addresses: [entry] } }).success).toBe(false);
});
