import { expect, test } from 'vitest';
import { createNonce, createVault, expiryOf, readNonce } from '../../../src/ground/crypto/index.js';

const vault = createVault('x'.repeat(32));
const now = new Date('2026-11-21T09:30:00.123Z');
const nonce = createNonce(vault, 'world', now);

test('is valid for five minutes, only in its own world', () => {
  expect(readNonce(vault, 'world', nonce)).toEqual({ issuedAt: now, expiresAt: expiryOf(now) });
  expect(expiryOf(now).toISOString()).toBe('2026-11-21T09:35:00.123Z');
  expect(readNonce(vault, 'another world', nonce)).toBeUndefined();
  expect(readNonce(createVault('y'.repeat(32)), 'world', nonce)).toBeUndefined();
});

test('is different each time, and rejected after a rotation of the secret', () => {
  expect(createNonce(vault, 'world', now)).not.toBe(nonce);
  const previousSignsUntil = new Date('2100-01-01');
  const rotated = createVault('y'.repeat(32), { previous: 'x'.repeat(32), previousSignsUntil });
  expect(readNonce(rotated, 'world', nonce)).toBeUndefined();
});

test('is rejected if any character is changed or added', () => {
  for (let index = 0; index < nonce.length; index++) {
    const other = nonce[index] === 'A' ? 'B' : 'A';
    expect(
      readNonce(vault, 'world', nonce.slice(0, index) + other + nonce.slice(index + 1)),
      `${index}`,
    ).toBeUndefined();
  }
  for (const text of ['', ' ', `${nonce}=`, `${nonce} `, ` ${nonce}`, `${nonce}A`, nonce.slice(0, -1), `${nonce}\n`]) {
    expect(readNonce(vault, 'world', text), JSON.stringify(text)).toBeUndefined();
  }
});
