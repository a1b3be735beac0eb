import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createVault, signDeviceToken, verifyDeviceToken } from '../../../src/ground/crypto/index.js';

const master = 'a master secret for tests, 32 bytes or more';
const older = 'the master secret before, also of 32 bytes or more';
const vault = createVault(master);
const claim = { device: '01935d3e-7a2b-7000-8000-000000000001', project: '01935d3e-7a2b-7000-8000-000000000002' };
const now = new Date('2026-11-20T10:00:00.000Z');
const expires = new Date('2026-11-21T10:00:00.000Z');
const token = signDeviceToken(vault, claim, now);

describe('a device token', () => {
  test('contains the device, its project and a lifetime of 24 hours', () => {
    expect(verifyDeviceToken(vault, token, now)).toEqual({ ...claim, expires, isOutdated: false });
  });

  test('is safe in headers and logs', () => {
    expect(token).toMatch(/^[\w.-]+$/);
  });

  test('is valid until the last second, and no longer', () => {
    expect(verifyDeviceToken(vault, token, new Date(expires.getTime() - 1000))).toBeDefined();
    expect(verifyDeviceToken(vault, token, expires)).toBeUndefined();
  });

  test('of the previous master secret is accepted, as outdated, until that secret ends', () => {
    const before = signDeviceToken(createVault(older), claim, now);
    const later = (ms: number) => new Date(now.getTime() + ms);
    const rotated = createVault(master, { previous: older, previousSignsUntil: later(1000) });
    expect(verifyDeviceToken(rotated, before, now)).toEqual({ ...claim, expires, isOutdated: true });
    expect(verifyDeviceToken(rotated, before, later(1000))).toBeUndefined();
    expect(verifyDeviceToken(rotated, token, now)).toMatchObject({ isOutdated: false });
    expect(verifyDeviceToken(createVault(master, { previous: older }), before, now)).toBeUndefined();
    expect(verifyDeviceToken(vault, before, now)).toBeUndefined();
  });

  test.each([0, 1, 2, 3])('is rejected if a character of its part %i is changed', (part) => {
    const parts = token.split('.');
    const changed = parts.with(part, `${parts[part]?.startsWith('1') ? '2' : '1'}${parts[part]?.slice(1)}`);
    expect(verifyDeviceToken(vault, changed.join('.'), now)).toBeUndefined();
  });

  test('is rejected with a MAC of another use of the same key', () => {
    const claims = token.slice(0, token.lastIndexOf('.'));
    const mark = createHmac('sha256', vault.signingKey('other')).update(claims).digest('base64url');
    expect(verifyDeviceToken(vault, `${claims}.${mark}`, now)).toBeUndefined();
  });

  test.each([
    '',
    'token',
    'a.b.c',
    `${'a'.repeat(10_000)}.b.c`,
    token.slice(0, token.lastIndexOf('.')),
    token.slice(0, -1),
    `${token}A`,
    ` ${token}`,
  ])('is not %j', (text) => {
    expect(verifyDeviceToken(vault, text, now)).toBeUndefined();
  });
});
