import { expect, test } from 'vitest';
import { parse } from 'whorl/fingerprint';
import { groupKeys } from '../../../src/recognition/linking/rules/group-keys.js';
import { type DeviceModel, fingerprintOf } from '../../support/fingerprints.js';

function keysOf(model: Omit<DeviceModel, 'seed'> = {}) {
  const parsed = parse(fingerprintOf({ seed: 'laptop', ...model }));
  if (!parsed) throw new Error('Not a fingerprint.');
  return groupKeys(parsed);
}

const base = keysOf();

test.each([
  [
    'a browser update',
    { descriptor: 'dlc157', changed: ['gl', 'surface', 'raster', 'media'] },
    ['frame', 'settled', 'software'],
  ],
  ['text drawn otherwise', { changed: ['text'] }, ['frame', 'settled']],
  ['an unreadable GPU', { missing: ['gpu'] }, ['frame', 'software']],
  ['more memory', { changed: ['memory'] }, ['frame', 'software']],
  ['travel', { changed: ['timezone'] }, ['frame', 'software']],
  ['another monitor', { changed: ['screen'] }, ['software']],
  ['another browser family', { descriptor: 'dlf156' }, []],
] as const)('%s leaves the keys that do not hold it', (_, change, kept) => {
  const keys = keysOf(change);
  const same = (['frame', 'settled', 'software'] as const).filter((name) => keys[name] === base[name]);
  expect(same).toEqual(kept);
});

test('a mostly unreadable group is no key, because many devices would share it', () => {
  expect(keysOf({ missing: ['text', 'audio'] }).software).toBeNull();
  expect(keysOf({ missing: ['text'] }).software).not.toBeNull();
});

test('keys fit into a bigint of PostgreSQL', () => {
  for (const key of Object.values(base)) expect(BigInt.asIntN(64, BigInt(key ?? ''))).toBe(BigInt(key ?? ''));
});
