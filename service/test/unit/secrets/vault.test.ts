import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVault, UnsealError } from '../../../src/ground/crypto/index.js';
import { sealUnnamed } from '../../support/unnamed-seal.js';

const master = 'a master secret for tests, 32 bytes or more';
const older = 'the master secret before, also of 32 bytes or more';
const vault = createVault(master);
const context = 'user.email';
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
/** A value sealed with `master` when compression was new. It must always open. */
const compressedEarlier =
  'A3Nbegvkint9R4cGkVf5Z/E/dYOVADHsQBroagsf8PvHiw3sGKjszuHTeQHqID1MeZzh0idBGf1cTXa03XIrl7ORrcm9V5H5P86nM98E7ldUEpk07ZRH2PHxFGVKVUTHnb7d8fa5gvHxtFwG2SU=';

describe('a sealed value', () => {
  test('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, what) => {
        expect(vault.open(vault.seal(text, what), what)).toBe(text);
        const json = JSON.stringify([text, { [what]: text }]);
        expect(vault.open(vault.seal(json, what, { isCompressed: true }), what)).toBe(json);
      }),
    );
  });

  test('is shorter if it is compressed, with another version that cannot be replaced', () => {
    const fingerprint = `w1.${randomBytes(36).toString('hex')}`;
    const request = JSON.stringify({ fingerprint, version: '0.1.0', metadata: { plan: 'family' }, user_agent: chrome });
    const sealed = vault.seal(request, context, { isCompressed: true });
    expect(sealed.length).toBeLessThan(49 + request.length / 2);
    expect(sealed.subarray(0, 5)).toEqual(vault.sealedPrefixes[1]);
    expect(sealed[0]).toBe(3);
    sealed[0] = 2;
    expect(() => vault.open(sealed, context)).toThrow(UnsealError);
  });

  test('opens as it was compressed by an earlier process', () => {
    expect(JSON.parse(vault.open(Buffer.from(compressedEarlier, 'base64'), context))).toEqual({
      fingerprint: 'w1.abc',
      version: '0.1.0',
      metadata: { plan: 'family' },
      user_agent: chrome,
      address_sources: { country: 'geo-whois-asn-country 2026-06-17' },
      revocations: 0,
      expires_at: '2026-06-17',
    });
  });

  test('opens from plain bytes, as a database returns them, and in another process', () => {
    const sealed = new Uint8Array(vault.seal('jane@example.com', context));
    expect(createVault(Buffer.from(master)).open(sealed, context)).toBe('jane@example.com');
  });

  test('is different each time, and does not contain the text', () => {
    const sealed = vault.seal('jane@example.com', context);
    expect(sealed).not.toEqual(vault.seal('jane@example.com', context));
    expect(sealed.includes('jane')).toBe(false);
  });

  test('shares its key with at most a thousand values', () => {
    const busy = createVault(master);
    const sealed = Array.from({ length: 2001 }, () => busy.seal('jane', context));
    const salts = sealed.map((value) => value.subarray(5, 21).toString('hex'));
    const counts = [...new Set(salts)].map((salt) => salts.filter((one) => one === salt).length);
    expect(Math.max(...counts)).toBe(1000);
    expect(busy.open(sealed[2000] ?? Buffer.alloc(0), context)).toBe('jane');
  });

  test('begins with version and key ID, and is 49 bytes longer than the text', () => {
    const sealed = vault.seal('jane@example.com', context);
    expect(sealed[0]).toBe(2);
    expect(sealed.subarray(1, 5).toString('hex')).toBe(vault.keyIds[0]);
    expect(sealed.subarray(0, 5)).toEqual(vault.sealedPrefixes[0]);
    expect(sealed).toHaveLength(49 + 'jane@example.com'.length);
  });

  test('does not open with any one bit changed', () => {
    const sealed = vault.seal('jane', context);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => vault.open(changed, context)).toThrow(UnsealError);
    }
  });

  test('does not open when it is cut off or lengthened', () => {
    const sealed = vault.seal('', context);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => vault.open(sealed.subarray(0, length), context)).toThrow(UnsealError);
    }
    expect(() => vault.open(Buffer.concat([sealed, Buffer.of(0)]), context)).toThrow(UnsealError);
  });

  test('does not open in another context, nor with another master secret', () => {
    const sealed = vault.seal('jane@example.com', context);
    expect(() => vault.open(sealed, 'user.phone')).toThrow(UnsealError);
    expect(() => createVault(older).open(sealed, context)).toThrow(UnsealError);
  });

  test('fails with an error that does not reveal it', () => {
    const sealed = vault.seal('jane@example.com', context);
    try {
      vault.open(sealed, 'user.phone');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'unseal_failed' });
      expect(inspect(error)).not.toMatch(/jane|user\.(email|phone)/);
    }
  });
});

describe('rotation of the master secret', () => {
  const rotated = createVault(master, { previous: older });
  const now = new Date('2026-11-22T10:00:00.000Z');

  test('opens what either sealed, and seals with the current one', () => {
    expect(rotated.open(createVault(older).seal('jane', context), context)).toBe('jane');
    expect(rotated.open(vault.seal('jane', context), context)).toBe('jane');
    expect(vault.open(rotated.seal('jane', context), context)).toBe('jane');
    expect(() => createVault(older).open(rotated.seal('jane', context), context)).toThrow(UnsealError);
  });

  test('opens a value only with the secret of its key ID', () => {
    const sealed = createVault(older).seal('jane', context);
    vault.sealedPrefixes[0].copy(sealed);
    expect(() => rotated.open(sealed, context)).toThrow(UnsealError);
  });

  test('opens values of the first version, which have no key ID, with either', () => {
    expect(rotated.open(sealUnnamed(older, 'jane', context), context)).toBe('jane');
    expect(rotated.open(sealUnnamed(master, 'jane', context), context)).toBe('jane');
    expect(() => vault.open(sealUnnamed(older, 'jane', context), context)).toThrow(UnsealError);
  });

  test('names both secrets, and only one if they are equal', () => {
    expect(rotated.keyIds).toEqual([...vault.keyIds, ...createVault(older).keyIds]);
    expect(vault.keyIds).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
    expect(createVault(master, { previous: master }).keyIds).toEqual(vault.keyIds);
  });

  test('computes blind indexes with the current secret, and returns both for look-ups', () => {
    const [ofOlder, ofCurrent] = [createVault(older).blindIndex('jane', context), vault.blindIndex('jane', context)];
    expect(ofOlder).not.toEqual(ofCurrent);
    expect(rotated.blindIndex('jane', context)).toEqual(ofCurrent);
    expect(rotated.blindIndexes('jane', context)).toEqual([ofCurrent, ofOlder]);
    expect(vault.blindIndexes('jane', context)).toEqual([ofCurrent]);
  });

  test('returns the code keys of both, the current one first', () => {
    expect(rotated.codeKeys()).toEqual([...vault.codeKeys(), ...createVault(older).codeKeys()]);
    expect(vault.codeKeys()).toHaveLength(1);
  });

  test('still finds by the look-up keys of a retired secret, which cannot open or sign', () => {
    const [id] = createVault(older).keyIds;
    const keys = rotated.lookupKeys(id);
    const after = createVault(master, { retired: keys ? [keys] : [] });
    expect(after.blindIndexes('jane', context)).toEqual(rotated.blindIndexes('jane', context));
    expect(after.codeKeys()).toEqual(rotated.codeKeys());
    expect(after.lookupKeys(id)).toBeUndefined();
    expect(() => after.open(createVault(older).seal('jane', context), context)).toThrow(UnsealError);
  });

  test('signs with the current secret, and returns the previous signing key until it ends', () => {
    const until = new Date(now.getTime() + 1000);
    const patient = createVault(master, { previous: older, previousSignsUntil: until });
    expect(rotated.signingKey('token')).toEqual(vault.signingKey('token'));
    expect(rotated.previousSigningKey('token', now)).toBeUndefined();
    expect(patient.previousSigningKey('token', now)).toEqual(createVault(older).signingKey('token'));
    expect(patient.previousSigningKey('token', until)).toBeUndefined();
  });
});

describe('blind indexes and keys', () => {
  test('a blind index is 32 bytes, and equal only for equal text and context', () => {
    const mark = vault.blindIndex('jane@example.com', context);
    expect(mark).toHaveLength(32);
    expect(vault.blindIndex('jane@example.com', context)).toEqual(mark);
    expect(vault.blindIndex('joe@example.com', context)).not.toEqual(mark);
    expect(vault.blindIndex('jane@example.com', 'user.phone')).not.toEqual(mark);
  });

  test('another division into context and text gives another blind index', () => {
    expect(vault.blindIndex('b', 'a')).not.toEqual(vault.blindIndex('', 'ab'));
    expect(vault.blindIndex('b","c', 'a')).not.toEqual(vault.blindIndex('c', 'a","b'));
  });

  test('each purpose has its own key of 32 bytes', () => {
    expect(vault.signingKey('token')).toHaveLength(32);
    expect(vault.signingKey('token')).toEqual(createVault(master).signingKey('token'));
    const { index, code } = vault.lookupKeys(vault.keyIds[0]) ?? {};
    const keys = [vault.signingKey('token'), vault.signingKey('link'), index, code].map((key) => key?.toString('hex'));
    expect(new Set(keys).size).toBe(4);
  });
});

describe('the master secret', () => {
  test.each(['', 'short', 'x'.repeat(31)])('is refused with less than 32 bytes: %j', (secret) => {
    expect(() => createVault(secret)).toThrow(RangeError);
    expect(() => createVault(master, { previous: secret })).toThrow(RangeError);
  });

  test('is used unchanged', () => {
    const given = Buffer.from(master);
    const ours = createVault(given);
    given.fill(0);
    expect(ours.blindIndex('jane', context)).toEqual(vault.blindIndex('jane', context));
  });
});
