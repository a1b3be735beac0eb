import { describe, expect, test } from 'vitest';
import { changeBetween, withChanges } from '../../../src/dashboard/devices/rules.js';
import { fingerprintOf } from '../../support/fingerprints.js';

const before = fingerprintOf({ seed: 'one' });

describe('the change between two fingerprints', () => {
  test('names facets with their groups, and the reported browser', () => {
    const after = fingerprintOf({ seed: 'one', descriptor: 'dlc157', changed: ['gpu', 'surface', 'timezone'] });
    expect(changeBetween(before, after)).toEqual({
      changed: [
        { name: 'gpu', group: 'hardware' },
        { name: 'surface', group: 'software' },
        { name: 'timezone', group: 'setting' },
      ],
      lost: [],
      found: [],
      descriptor: [{ from: 'Chromium 156', to: 'Chromium 157' }],
      integrity: [],
    });
  });

  test('distinguishes unreadable facets from changed ones', () => {
    const hidden = fingerprintOf({ seed: 'one', missing: ['audio'] });
    expect(changeBetween(before, hidden)).toMatchObject({ changed: [], lost: ['audio'], found: [] });
    expect(changeBetween(hidden, before)).toMatchObject({ changed: [], lost: [], found: ['audio'] });
  });

  test('names new signs of automation', () => {
    const driven = fingerprintOf({ seed: 'one', integrity: ['webdriver'] });
    expect(changeBetween(before, driven)?.integrity).toEqual(['webdriver']);
    expect(changeBetween(driven, driven)?.integrity).toEqual([]);
  });

  test('is undefined for fingerprints in other formats', () => {
    expect(changeBetween(before, 'opaque')).toBeUndefined();
    expect(changeBetween('opaque', before)).toBeUndefined();
  });
});

describe('the fingerprint history', () => {
  test('is sorted newest first, each with its changes since the previous one', () => {
    const changed = fingerprintOf({ seed: 'one', changed: ['fonts'] });
    const [newest, first, ...others] = withChanges([
      { fingerprint: before, firstSeenAt: new Date(1) },
      { fingerprint: changed, firstSeenAt: new Date(2) },
    ]);
    expect(newest).toMatchObject({ fingerprint: changed, change: { changed: [{ name: 'fonts', group: 'software' }] } });
    expect(first).toMatchObject({ fingerprint: before, change: undefined });
    expect(others).toEqual([]);
  });
});
