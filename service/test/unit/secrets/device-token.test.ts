import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createVault, signDeviceToken, verifyDeviceToken } from '../../../src/secrets/index.js';

const master = 'a master secret for tests, 32 bytes or more';
const older = 'the master secret before, also of 32 bytes or more';
const vault = createVault(master);
const claim = { device: '01935d3e-7a2b-7000-8000-000000000001', project: '01935d3e-7a2b-7000-8000-000000000002' };
const now = new Date('2026-11-20T10:00:00.000Z');
const expires = new Date('2026-11-21T10:00:00.000Z');

describe('a device token', () => {
  test('says the device, its project, and that it is good for 24 hours', async () => {
    const token = await signDeviceToken(vault, claim, now);
    expect(await verifyDeviceToken(vault, token, now)).toEqual({ ...claim, expires });
  });

  test('is good until the last second, and no longer', async () => {
    const token = await signDeviceToken(vault, claim, now);
    expect(await verifyDeviceToken(vault, token, new Date(expires.getTime() - 1000))).toBeDefined();
    expect(await verifyDeviceToken(vault, token, expires)).toBeUndefined();
  });

  test('is good under the master secret before, and not under a foreign one', async () => {
    const token = await signDeviceToken(createVault(older), claim, now);
    expect(await verifyDeviceToken(createVault(master, { previous: older }), token, now)).toEqual({
      ...claim,
      expires,
    });
    expect(await verifyDeviceToken(vault, token, now)).toBeUndefined();
  });

  test('is none when one character is changed', async () => {
    const token = await signDeviceToken(vault, claim, now);
    const [head = '', body = '', signature = ''] = token.split('.');
    const flip = (part: string) => `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`;
    for (const changed of [`${flip(head)}.${body}.${signature}`, `${head}.${flip(body)}.${signature}`]) {
      expect(await verifyDeviceToken(vault, changed, now)).toBeUndefined();
    }
    expect(await verifyDeviceToken(vault, `${head}.${body}.${flip(signature)}`, now)).toBeUndefined();
  });

  test.each(['', 'token', 'a.b.c', `${'a'.repeat(10_000)}.b.c`])('is not %j', async (token) => {
    expect(await verifyDeviceToken(vault, token, now)).toBeUndefined();
  });

  test('is none without a signature', async () => {
    const token = await signDeviceToken(vault, claim, now);
    const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    expect(await verifyDeviceToken(vault, `${head}.${token.split('.')[1]}.`, now)).toBeUndefined();
  });

  describe('signed with the key', () => {
    const sign = (claims: JWTPayload, alg = 'HS256') =>
      new SignJWT(claims).setProtectedHeader({ alg }).sign(vault.keys('device-token')[0]);
    const claims = {
      sub: claim.device,
      aud: 'device-token',
      exp: expires.getTime() / 1000,
      project: claim.project,
    };

    test('is one with all its claims', async () => {
      expect(await verifyDeviceToken(vault, await sign(claims), now)).toEqual({ ...claim, expires });
    });

    test.each([
      ['for another audience', { ...claims, aud: 'other' }],
      ['without a device', { ...claims, sub: undefined }],
      ['without an end', { ...claims, exp: undefined }],
      ['without a project', { ...claims, project: undefined }],
      ['with a project that is no text', { ...claims, project: 1 }],
    ])('is none %s', async (_, changed) => {
      const token = await sign(JSON.parse(JSON.stringify(changed)));
      expect(await verifyDeviceToken(vault, token, now)).toBeUndefined();
    });

    test('is none by another algorithm', async () => {
      expect(await verifyDeviceToken(vault, await sign(claims, 'HS512'), now)).toBeUndefined();
    });
  });
});
