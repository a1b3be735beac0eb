import { describe, expect, it } from 'vitest';
import { changeBetween, withChanges } from '../../../src/dashboard/devices/rules.js';
import { fingerprintOf } from '../../support/fingerprints.js';

const before = fingerprintOf({ seed: 'one' });

describe('the change between two fingerprints', () => {
  it('names facets with their groups, and what the browser calls itself', () => {
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

  it('tells what could be read once from what changed', () => {
    const hidden = fingerprintOf({ seed: 'one', missing: ['audio'] });
    expect(changeBetween(before, hidden)).toMatchObject({ changed: [], lost: ['audio'], found: [] });
    expect(changeBetween(hidden, before)).toMatchObject({ changed: [], lost: [], found: ['audio'] });
  });

  it('tells signs of automation that are new', () => {
    const driven = fingerprintOf({ seed: 'one', integrity: ['webdriver'] });
    expect(changeBetween(before, driven)?.integrity).toEqual(['webdriver']);
    expect(changeBetween(driven, driven)?.integrity).toEqual([]);
  });

  it('is not known of texts that are not ours', () => {
    expect(changeBetween(before, 'opaque')).toBeUndefined();
    expect(changeBetween('opaque', before)).toBeUndefined();
  });
});

describe('fingerprints in time', () => {
  it('stand newest first, each beside what it changed of the one before', () => {
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
