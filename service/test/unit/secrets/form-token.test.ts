import { describe, expect, test } from 'vitest';
import { createVault, formTokenOf, isFormTokenOf } from '../../../src/ground/crypto/index.js';

const secret = 'a master secret for tests, 32 bytes or more';
const vault = createVault(secret);
const token = formTokenOf(vault, 'dashboard.csrf', 'a session');

describe("a form's token", () => {
  test('is valid for its own forms until the master secret changes', () => {
    expect(isFormTokenOf(vault, 'dashboard.csrf', 'a session', token)).toBe(true);
    const previousSignsUntil = new Date('2100-01-01');
    const next = createVault('another master secret, of the same service', { previous: secret, previousSignsUntil });
    expect(isFormTokenOf(next, 'dashboard.csrf', 'a session', token)).toBe(false);
    expect(isFormTokenOf(vault, 'dashboard.csrf', 'another session', token)).toBe(false);
    expect(isFormTokenOf(vault, 'challenge-page.csrf', 'a session', token)).toBe(false);
  });

  test.each([null, '', 'AAAA', `${token}AAAA`, token.slice(1), '🔑'])('is never %j', (given) => {
    expect(isFormTokenOf(vault, 'dashboard.csrf', 'a session', given)).toBe(false);
  });
});
