import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Judged, judgeCases, judgeUpgrades, type Verdict } from '../../bench/identity/judge.mjs';
import { compare, priors } from '../../src/fingerprint/compare.js';
import { facets } from '../../src/fingerprint/facets.js';
import { parse } from '../../src/fingerprint/parse.js';

/** Fingerprints of real browsers, recorded with `bench/identity --record`. */
const recorded: { cases: Judged[] } = JSON.parse(
  readFileSync(new URL('../../bench/identity/recorded/fingerprints.json', import.meta.url), 'utf8'),
);

const whorl = { compare, priors, parse, facets };
const verdicts = judgeCases(recorded.cases, whorl);
const upgrades = judgeUpgrades(recorded.cases, whorl);
const ofKind = (kind: Judged['kind']) => verdicts.filter((verdict) => verdict.kind === kind);

/** Returns the cases for which a condition does not hold. */
function exceptions<Each extends Verdict>(list: readonly Each[], holds: (verdict: Each) => boolean) {
  return list
    .filter((each) => !holds(each))
    .map(({ a, b, moved, lost, confidence }) => ({ a, b, moved, lost, confidence }));
}

test('the recording is complete', () => {
  expect(ofKind('same').length).toBeGreaterThan(80);
  expect(ofKind('different').length).toBeGreaterThan(60);
  expect(upgrades).toHaveLength(55);
  expect(upgrades.filter(({ adjacent }) => adjacent)).toHaveLength(10);
});

/** Machines with less than 8 cores, which WebKit does not tell apart, and Firefox not with its protection. */
const unseenCores = /^(?:firefox|webkit): 4 cores$/;
const seenAsDifferent = () => ofKind('different').filter(({ b }) => !unseenCores.test(b));

describe('the hardware group of real browsers', () => {
  test('is the same in every case of one device', () => {
    expect(exceptions(ofKind('same'), ({ hardware }) => hardware)).toEqual([]);
  });

  test('is the same in any two builds of Chromium', () => {
    expect(exceptions(upgrades, ({ hardware }) => hardware)).toEqual([]);
  });

  test('differs in every case of another device, except 4 cores instead of 2 outside Chromium', () => {
    expect(ofKind('different').length - seenAsDifferent().length).toBe(2);
    expect(exceptions(seenAsDifferent(), ({ hardware }) => !hardware)).toEqual([]);
  });
});

test('only the facets that a case lists change', () => {
  expect(exceptions<Verdict>([...ofKind('same'), ...upgrades], ({ unlisted }) => unlisted.length === 0)).toEqual([]);
});

describe('compare, on real browsers', () => {
  /** Cases in which three settings change at once, or few facets are readable. docs/research/identity.md explains each. */
  const notAmongAll =
    /travel, (another monitor and dark mode|another monitor)$|resistFingerprinting$|^firefox: languages in another order$/;

  test('returns same in every case of one device, among all devices of a project', () => {
    const list = ofKind('same').filter(({ b }) => !notAmongAll.test(b));
    expect(exceptions(list, ({ confidence }) => confidence.project >= 0.5)).toEqual([]);
  });

  test('returns same in all of them among the devices of one user', () => {
    expect(exceptions(ofKind('same'), ({ confidence }) => confidence.user >= 0.5)).toEqual([]);
  });

  test('returns same in every adjacent upgrade, among all devices of a project', () => {
    const adjacent = upgrades.filter((verdict) => verdict.adjacent);
    expect(exceptions(adjacent, ({ confidence }) => confidence.project >= 0.5)).toEqual([]);
  });

  test('returns same for any two builds with a matching last fingerprint', () => {
    expect(exceptions(upgrades, ({ confidence }) => confidence.userWithLast >= 0.5)).toEqual([]);
  });

  test('returns different in every other case of another device, among all devices of a project', () => {
    expect(exceptions(seenAsDifferent(), ({ confidence }) => confidence.project < 0.5)).toEqual([]);
  });

  test('has less confidence in every ambiguous case than in a look-alike', () => {
    const sure = Math.min(...ofKind('lookalike').map(({ confidence }) => confidence.project));
    expect(exceptions(ofKind('ambiguous'), ({ confidence }) => confidence.project < sure)).toEqual([]);
  });
});

test('the tables of the docs have the figures of the recording', () => {
  const adjacent = upgrades.filter((verdict) => verdict.adjacent);
  const blocks = [ofKind('same'), adjacent, upgrades, ofKind('different'), ofKind('ambiguous'), ofKind('lookalike')];
  const isSame: ((verdict: Verdict) => boolean)[] = [
    ({ string }) => string,
    ({ hardware }) => hardware,
    ({ confidence }) => confidence.project >= 0.5,
    ({ confidence }) => confidence.userWithLast >= 0.5,
  ];
  const rows = blocks.map((block: readonly Verdict[], at) => {
    const isDifferent = at === 3;
    return isSame.map((isOf) => `${block.filter((verdict) => isOf(verdict) !== isDifferent).length}/${block.length}`);
  });
  for (const page of ['identity.md', 'identity-cases.md']) {
    const text = readFileSync(new URL(`../../docs/research/${page}`, import.meta.url), 'utf8');
    const shown = [
      ...text.matchAll(/^\| [a-z :-]+ \(\d+\) \| (\d+\/\d+) \| (\d+\/\d+) \| (\d+\/\d+) \| (\d+\/\d+) \|/gm),
    ];
    expect(shown.map(([, ...cells]) => cells)).toEqual(rows);
  }
});
