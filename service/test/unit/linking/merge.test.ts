import { describe, expect, test } from 'vitest';
import { emptyCensus } from '../../../src/recognition/linking/rules/census.js';
import {
  type MergingDevice,
  maxDevices,
  mergeConfidence,
  planMerge,
} from '../../../src/recognition/linking/rules/merge.js';
import { fingerprintOf } from '../../support/fingerprints.js';

const now = new Date('2026-06-01T12:00:00Z');
const scales = { now, census: emptyCensus };
const laptop = fingerprintOf({ seed: 'laptop' });

const device = (id: string, user: string, identityId: string, more: Partial<MergingDevice> = {}): MergingDevice => ({
  id,
  identityId,
  userId: user,
  externalId: user,
  status: 'attached',
  trusted: true,
  whitelisted: false,
  ...more,
});
const plan = (devices: MergingDevice[], externalId: string | undefined = 'ann') =>
  planMerge(devices, { survivor: 'old', externalId });

describe('two known fingerprints', () => {
  test.each([
    ['an upgrade', { descriptor: 'dlc157', changed: ['surface'] }, true],
    ['a version that goes back', { descriptor: 'dlc155', changed: ['surface'] }, false],
    ['other hardware', { changed: ['cpu'] }, false],
    ['hardware that cannot be read', { missing: ['engine', 'platform', 'cpu', 'memory', 'memoryFrom8'] }, false],
    ['another system', { descriptor: 'dwc156' }, false],
    [
      'everything but the hardware',
      { changed: ['gl', 'raster', 'text', 'fonts', 'metrics', 'screen', 'timezone'] },
      false,
    ],
  ] as const)('of %s are evidence or none', (_, change, isEvidence) => {
    const confidence = mergeConfidence(laptop, now, fingerprintOf({ seed: 'laptop', ...change }), scales);
    expect(confidence !== undefined).toBe(isEvidence);
  });

  test('in another format are not merged', () => {
    expect(mergeConfidence('a', now, 'b', scales)).toBeUndefined();
  });
});

describe('the devices of two identities', () => {
  test('move if their users have no other', () => {
    expect(plan([device('1', 'ann', 'new')])).toEqual({ moved: ['1'], joined: [] });
    expect(plan([])).toEqual({ moved: [], joined: [] });
  });

  test('of one user are merged if they have the same permissions', () => {
    const others = [device('3', 'bob', 'new'), device('4', 'cid', 'old')];
    expect(plan([device('1', 'ann', 'old'), device('2', 'ann', 'new'), ...others])).toEqual({
      moved: ['3'],
      joined: [{ from: '2', into: '1' }],
    });
  });

  test.each([
    ['trusted', { trusted: false }],
    ['whitelisted', { whitelisted: true }],
    ['blocked', { status: 'blocked' }],
    ['waiting', { status: 'pending' }],
    ['detached', { status: 'detached' }],
  ] as const)('of one user stay separate if only one is %s', (_, more) => {
    const [mine, other] = [device('1', 'ann', 'old'), device('2', 'ann', 'new')];
    const bob = [device('3', 'bob', 'old'), device('4', 'bob', 'new', more)];
    expect(plan([mine, other, ...bob])).toBeUndefined();
  });

  test('stay separate for a user who has none on one side', () => {
    const theirs = [device('1', 'ann', 'old'), device('2', 'mallory', 'new')];
    for (const user of ['ann', 'mallory', undefined]) expect(plan(theirs, user)).toBeUndefined();
    const waiting = device('3', 'mallory', 'old', { status: 'pending' });
    expect(plan([...theirs, waiting], 'mallory')).toBeUndefined();
  });

  test('stay separate in a crowd', () => {
    const crowd = Array.from({ length: maxDevices + 1 }, (_, index) => device(`${index}`, `user ${index}`, 'old'));
    expect(plan([...crowd, device('x', 'user 0', 'new')], 'user 0')).toBeUndefined();
    expect(plan([...crowd.slice(1), device('x', 'user 1', 'new')], 'user 1')).toBeDefined();
  });
});
