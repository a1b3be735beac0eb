import { describe, expect, test } from 'vitest';
import { parse } from 'whorl/fingerprint';
import { countSample, emptyCensus, sharesOf } from '../../../src/recognition/linking/rules/census.js';
import {
  type Candidate,
  chooseIdentity,
  isConsistentWithLast,
  isDowngrade,
} from '../../../src/recognition/linking/rules/choose.js';
import { exactConfidence } from '../../../src/recognition/linking/rules/exact.js';
import { readFingerprint } from '../../../src/resources/devices/rules/fingerprint-text.js';
import { type DeviceModel, fingerprintOf } from '../../support/fingerprints.js';

const now = new Date('2026-06-01T12:00:00Z');
const yesterday = new Date('2026-05-31T12:00:00Z');
const scales = { now, census: emptyCensus };
const hardware = ['engine', 'platform', 'cpu', 'memory', 'gpu', 'touch', 'memoryFrom8'] as const;

const laptop = fingerprintOf({ seed: 'laptop' });
const variantOf = (model: Omit<DeviceModel, 'seed'>) => fingerprintOf({ seed: 'laptop', ...model });
const known = (fingerprint: string, from: Candidate['from'], identityId = 'known'): Candidate => ({
  identityId,
  fingerprint,
  lastSeenAt: yesterday,
  from,
});

function parsed(fingerprint: string) {
  const read = parse(fingerprint);
  if (!read) throw new Error('Not a fingerprint.');
  return read;
}

describe('the identity of a fingerprint', () => {
  test('is a new one without candidates, with full confidence', () => {
    expect(chooseIdentity(laptop, [], scales)).toMatchObject({
      identityId: undefined,
      matchedBy: 'new',
      confidence: 1,
    });
  });

  test('is the candidate of which it is a variant, with the changes', () => {
    const updated = variantOf({ descriptor: 'dlc157', changed: ['surface'] });
    const strangers = ['a', 'b'].map((seed) => known(fingerprintOf({ seed }), 'project', seed));
    const choice = chooseIdentity(updated, [...strangers, known(laptop, 'project')], scales);
    expect(choice).toMatchObject({ identityId: 'known', matchedBy: 'facets', changed: ['surface'] });
    expect(choice.confidence).toBeGreaterThan(0.5);
  });

  test('is never one with another system, browser family or hardware', () => {
    for (const from of ['last', 'user', 'project'] as const) {
      for (const other of [{ descriptor: 'dwc156' }, { descriptor: 'dlf156' }, { changed: hardware }]) {
        expect(chooseIdentity(variantOf(other), [known(laptop, from)], scales).matchedBy, from).toBe('new');
      }
    }
  });

  test('is new among equally similar candidates', () => {
    const updated = variantOf({ changed: ['surface'] });
    const crowd = Array.from({ length: 10 }, (_, index) => known(laptop, 'project', `phone ${index}`));
    const choice = chooseIdentity(updated, crowd, scales);
    expect(choice.matchedBy).toBe('new');
    expect(choice.confidence).toBeLessThan(0.95);
  });

  test('is the saved one among similar candidates', () => {
    const updated = variantOf({ changed: ['surface'] });
    const crowd = Array.from({ length: 3 }, (_, index) => known(laptop, 'project', `phone ${index}`));
    expect(chooseIdentity(updated, [...crowd, known(laptop, 'last', 'mine')], scales)).toMatchObject({
      identityId: 'mine',
      matchedBy: 'last',
    });
  });

  test('is new in a project so large that others may look alike, unless it is of the user or of the key', () => {
    const crowded = { now, census: { ...emptyCensus, devices: 100_000_000 } };
    expect(chooseIdentity(laptop, [known(laptop, 'project')], scales).matchedBy).toBe('exact');
    for (const from of ['project', 'last'] as const) {
      expect(chooseIdentity(laptop, [known(laptop, from)], crowded).matchedBy, from).toBe('new');
    }
    const candidates = [known(laptop, 'project'), known(variantOf({ changed: ['screen'] }), 'user', 'own')];
    expect(chooseIdentity(laptop, candidates, crowded)).toMatchObject({ identityId: 'own', matchedBy: 'facets' });
    const holder = known(variantOf({ changed: ['screen', 'timezone', 'locale'] }), 'key', 'holder');
    expect(chooseIdentity(laptop, [...candidates, holder], crowded)).toMatchObject({
      identityId: 'holder',
      matchedBy: 'key',
    });
  });

  test('is that of the key after one hardware facet changed, and not after two', () => {
    const [one, two] = [variantOf({ changed: ['gpu'] }), variantOf({ changed: ['gpu', 'memory'] })];
    expect(chooseIdentity(one, [known(laptop, 'key')], scales).matchedBy).toBe('key');
    expect(chooseIdentity(two, [known(laptop, 'key')], scales).matchedBy).toBe('new');
  });

  test('is one of two equal devices of the user, at half confidence', () => {
    const twins = ['one', 'two'].map((id) => known(laptop, 'user', id));
    const choice = chooseIdentity(variantOf({ changed: ['surface'] }), twins, scales);
    expect(choice.matchedBy).toBe('facets');
    expect(choice.confidence).toBeCloseTo(0.5);
  });

  test('counts an identity once, regardless of its number of candidate variants', () => {
    const updated = variantOf({ changed: ['surface', 'gl'] });
    const variants = [laptop, variantOf({ changed: ['gl'] }), variantOf({ changed: ['surface'] })];
    const choice = chooseIdentity(
      updated,
      variants.map((text) => known(text, 'project')),
      scales,
    );
    expect(choice.identityId).toBe('known');
    expect(choice.confidence).toBeGreaterThan(0.9);
  });
});

describe('a saved fingerprint', () => {
  test('is accepted if three readable hardware facets agree and the version does not go back', () => {
    const three = variantOf({ missing: hardware.slice(3) });
    expect(isConsistentWithLast(parsed(laptop), parsed(variantOf({ descriptor: 'dlc157' })))).toBe(true);
    expect(isConsistentWithLast(parsed(laptop), parsed(three))).toBe(true);
    expect(isConsistentWithLast(parsed(laptop), parsed(variantOf({ missing: hardware.slice(2) })))).toBe(false);
    expect(isConsistentWithLast(parsed(laptop), parsed(variantOf({ changed: ['memory'] })))).toBe(false);
    expect(isConsistentWithLast(parsed(laptop), parsed(variantOf({ descriptor: 'dlc155' })))).toBe(false);
  });

  test('with an unknown version is compared without it', () => {
    expect(isDowngrade(parsed(laptop), parsed(variantOf({ descriptor: 'dlc0' })))).toBe(false);
  });

  test('that is not accepted has the same weight as any other of the project', () => {
    const old = variantOf({ descriptor: 'dlc120', changed: ['gl', 'surface', 'timezone', 'fonts'] });
    const asLast = chooseIdentity(old, [known(laptop, 'last')], scales);
    const asAny = chooseIdentity(old, [known(laptop, 'project')], scales);
    expect(asLast.confidence).toBe(asAny.confidence);
  });
});

describe('the frequencies of a project', () => {
  const crowd = Array.from({ length: 300 }, (_, index) =>
    fingerprintOf({ seed: index % 2 ? 'laptop' : `other ${index}` }),
  );

  test('are counted by facet, without unreadable values and other formats', () => {
    const shares = sharesOf(countSample([...crowd, 'opaque', variantOf({ missing: ['gpu'] })], 300), parsed(laptop));
    expect(shares.gpu).toBeCloseTo(151 / 301);
    expect(shares.cpu).toBeCloseTo(152 / 302);
  });

  test('of a small project are ignored', () => {
    expect(sharesOf(countSample(crowd.slice(0, 100), 100), parsed(laptop))).toEqual({});
  });

  test('lower the confidence of common values and raise that of rare ones', () => {
    const census = countSample(crowd, 1_000_000);
    const rare = crowd[0] ?? '';
    expect(exactConfidence(readFingerprint(laptop), now, { now, census })).toBeLessThan(0.5);
    expect(exactConfidence(readFingerprint(rare), now, { now, census })).toBeGreaterThan(0.99);
    expect(exactConfidence(readFingerprint('an opaque text'), now, { now, census })).toBe(1);
  });
});
