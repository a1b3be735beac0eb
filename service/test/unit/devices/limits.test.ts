import { expect, test } from 'vitest';
import { deviceLimit } from '../../../src/resources/devices/rules/device.js';

const none = { overall: null, mobile: null, tablet: null, desktop: null };

test('counts devices of unknown kind overall only', () => {
  expect(deviceLimit({ desktop: 2, unknown: 1 }, none)).toEqual({
    is_exceeded: false,
    overall: 3,
    mobile: 0,
    tablet: 0,
    desktop: 2,
  });
});

test.each([
  ['one more than overall', { desktop: 5 }, { ...none, overall: 5 }, 'desktop', true],
  ['just overall', { desktop: 4 }, { ...none, overall: 5 }, 'desktop', false],
  ['one more of its kind', { mobile: 1 }, { ...none, mobile: 1 }, 'mobile', true],
  ['one more of another kind', { mobile: 1 }, { ...none, mobile: 1 }, 'desktop', false],
  ['none allowed', {}, { ...none, tablet: 0 }, 'tablet', true],
  ['an unknown kind overall', { mobile: 1 }, { ...none, overall: 1 }, 'unknown', true],
] as const)('a device that joins: %s', (_, attached, limits, kind, isExceeded) => {
  expect(deviceLimit(attached, limits, { kind, isAttached: false }).is_exceeded).toBe(isExceeded);
});

test('a device that is already attached counts once', () => {
  const limits = { ...none, overall: 5 };
  expect(deviceLimit({ desktop: 5 }, limits, { kind: 'desktop', isAttached: true }).is_exceeded).toBe(false);
  expect(deviceLimit({ desktop: 6 }, limits, { kind: 'desktop', isAttached: true }).is_exceeded).toBe(true);
});
