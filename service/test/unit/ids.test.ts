import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { createIds } from '../../src/ground/ids.js';

test('IDs contain the time of the clock', () => {
  const newId = createIds(() => new Date(0x0123456789ab));
  const id = newId();
  expect(validate(id)).toBe(true);
  expect(version(id)).toBe(7);
  expect(id.startsWith('01234567-89ab-7')).toBe(true);
});

test('IDs of one millisecond differ, and sort in order of creation', () => {
  const newId = createIds(() => new Date(1000));
  const ids = Array.from({ length: 2000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('two sources create different IDs in the same millisecond', () => {
  const now = () => new Date(1000);
  expect(createIds(now)()).not.toBe(createIds(now)());
});
