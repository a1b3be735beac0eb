import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Judged, judgeUpgrades } from '../../bench/identity/judge.mjs';
import { compare, priors } from '../../src/fingerprint/compare.js';
import { facets } from '../../src/fingerprint/facets.js';
import { parse } from '../../src/fingerprint/parse.js';

const casesIn = (file: string): Judged[] =>
  JSON.parse(readFileSync(new URL(`../../bench/identity/recorded/${file}`, import.meta.url), 'utf8')).cases;

const heldOut = casesIn('held-out.json');
const upgrades = judgeUpgrades([...casesIn('fingerprints.json'), ...heldOut], { compare, priors, parse, facets });
const adjacent = upgrades.filter((pair) => pair.adjacent);
const shareOf = (pairs: typeof upgrades, isSame: (pair: (typeof upgrades)[number]) => boolean) =>
  `${pairs.filter(isSame).length} of ${pairs.length}`;

/** The figures of docs/research/identity.md about the builds that nothing was fitted to, with those that it was fitted to. */
test('26 builds were kept out of development', () => {
  expect(heldOut).toHaveLength(26);
});

test('the hardware group is the same over every upgrade, and in any two builds', () => {
  expect(shareOf(adjacent, ({ hardware }) => hardware)).toBe('36 of 36');
  expect(shareOf(upgrades, ({ hardware }) => hardware)).toBe('666 of 666');
});

test('compare recognises every upgrade, and any two builds, among all devices of a project', () => {
  expect(shareOf(adjacent, ({ confidence }) => confidence.project >= 0.5)).toBe('36 of 36');
  expect(shareOf(upgrades, ({ confidence }) => confidence.project >= 0.5)).toBe('666 of 666');
});
