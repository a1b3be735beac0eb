import { expect, test } from 'vitest';
import { needsOwnFactor } from '../../../src/resources/challenges/rules/own-factor.js';

test.each([
  [true, ['passkey'], ['new_device', 'new_ip']],
  [true, ['passkey'], ['new_ip']],
  // A further reason does not bring the weaker factor back.
  [true, ['passkey'], ['new_device', 'automation']],
  [true, null, ['new_device']],
  [false, [], ['new_device', 'new_ip']],
  [false, ['passkey'], ['unproven_device']],
  [false, ['passkey'], ['limit_exceeded']],
  [false, null, ['concurrency']],
] as const)('own factor only: %s, with %j and %j', (expected, methods, reasons) => {
  expect(needsOwnFactor({ prefer_own_factor: true }, { methods, reasons })).toBe(expected);
  expect(needsOwnFactor({ prefer_own_factor: false }, { methods, reasons })).toBe(false);
});
