import { facets, priors, weights as shipped } from 'whorl/fingerprint';
import { errorRate } from './error-rate-interval.js';
import { reliability } from './error-rates.js';
import { countOf, decimals, type Share, shareOf } from './figures.js';
import { accident, fitWeights, frequencies, typical } from './fitting.js';
import { type Browser, pairOf, pairsOf, type StudyPair, type StudyPairs, twoVisits } from './pairs.js';
import { seeded } from './random.js';
import type { CalibrationRow, StudyReport } from './report.js';
import { confidenceOf, type Frequencies, type Score, scorer, type Values, type Weights } from './scoring.js';

/** A sampled key, with what the service made of it. */
export interface StudiedKey extends Browser {
  /** Identities that the service gave it, after merges. */
  readonly identities: number;
  /** Whether its newest identity was also given to another key, and whether the other was in use meanwhile. */
  readonly sharing: 'none' | 'another' | 'overlapping';
  /** Pairs of it and another key of the same user on the same day. */
  readonly besides: readonly Pick<StudyPair, 'a' | 'b' | 'days'>[];
}

/** What was read from the database. */
export interface Sample {
  readonly keys: readonly StudiedKey[];
  /** Fingerprints that are not in a format that this version can read. */
  readonly unreadable: number;
  /** Whether there are more keys than were read. */
  readonly isPart: boolean;
}

export interface StudyOptions {
  /** Lowest number of devices behind each figure. */
  readonly k: number;
  readonly seed: number;
}

/** Number of keys that were seen on two days, without which no rate is worth reading. */
export const minKeys = 200;
const minKeysToFit = 1000;
const pairCounts = { different: 200_000, lookAlikes: 20_000 };
/** Pairs for fitting. */
const fittedPairs = 20_000;
/** Days for which stability is reported, with the range of days that counts as this many. */
const horizons = [
  [1, 1, 3],
  [7, 4, 14],
  [30, 15, 59],
  [90, 60, 134],
  [180, 135, 270],
] as const;

/** Returns the keys that show whether a device is recognised again. */
export function seenAgain({ keys }: Sample): StudiedKey[] {
  return keys.filter(({ visits }) => visits[0] && visits[0].day < (visits.at(-1)?.day ?? 0));
}

/** Computes the report. There must be `minKeys` keys that were seen again. */
export function study(sample: Sample, { k, seed }: StudyOptions): StudyReport {
  const random = seeded(seed);
  const again = seenAgain(sample);
  const pairs = pairsOf(again, random, pairCounts);
  const score = scorer();
  const values = sample.keys.flatMap(({ visits }) => visits.at(-1)?.fingerprint ?? []);
  const overall = errorRate(pairs, score, { count: again.length, k, random });
  const besides = sample.keys.filter((key) => key.besides.length > 0);
  const isTakenForOne = ({ a, b, days }: StudiedKey['besides'][number]) =>
    confidenceOf(score(a, b, days), priors.user) >= 0.5;
  const keysWith = (sharing: readonly StudiedKey['sharing'][]) =>
    sample.keys.filter((key) => sharing.includes(key.sharing)).length;
  return {
    format: 'whorl-study-1',
    k,
    seed,
    fingerprint_format: 'w1',
    is_sample: sample.isPart,
    counts: countsOf(sample, again, pairs, k),
    split: shareOf(again.filter(({ identities }) => identities > 1).length, again.length, k),
    identity_with_another_key: shareOf(keysWith(['another', 'overlapping']), sample.keys.length, k),
    identity_with_overlapping_key: shareOf(keysWith(['overlapping']), sample.keys.length, k),
    own_browsers_taken_for_one: shareOf(
      besides.reduce((sum, key) => sum + key.besides.filter(isTakenForOne).length / key.besides.length, 0),
      ...([besides.length, k] as const),
    ),
    equal_error_rate: overall && { ...overall.share, bits: decimals(overall.bits, 1) },
    calibration: calibrationOf(pairs, score, k),
    facets: facetsOf(values, pairs, k),
    weights: again.length < minKeysToFit ? null : weightsOf(again, random, k),
  };
}

function countsOf(sample: Sample, again: readonly StudiedKey[], pairs: StudyPairs, k: number): StudyReport['counts'] {
  return {
    keys: countOf(sample.keys.length, k),
    keys_seen_again: countOf(again.length, k),
    users: countOf(new Set(sample.keys.flatMap(({ users }) => [...users])).size, k),
    fingerprints: countOf(
      sample.keys.reduce((sum, { visits }) => sum + visits.length, 0),
      k,
    ),
    unreadable_fingerprints: countOf(sample.unreadable, k),
    pairs_same: countOf(pairs.same.length, k),
    pairs_different: countOf(pairs.different.length, k),
  };
}

function facetsOf(values: readonly { readonly values: Values }[], pairs: StudyPairs, k: number): StudyReport['facets'] {
  const shares = frequencies(values);
  return facets.map(({ name, group }, at) => {
    const readable = values.filter((fingerprint) => fingerprint.values[at] !== 0).length;
    const counts = shares[at] ?? new Map<number, number>();
    return {
      name,
      group,
      readable: shareOf(readable, values.length, k),
      entropy_bits: readable < k ? null : decimals(-Math.log2(typical(counts)), 1),
      chance_agreement: readable < k ? null : decimals(accident(counts), 2),
      agreement: Object.fromEntries(
        horizons.map(([days, from, to]) => [days, agreementOf(pairs.same, at, { from, to, k })]),
      ),
    };
  });
}

function calibrationOf(pairs: StudyPairs, score: Score, k: number): CalibrationRow[] {
  const names = ['project', 'user', 'userWithLast'] as const;
  return names.flatMap((prior) =>
    reliability({ ...pairs, methods: [{ name: prior, prior: priors[prior], score }] })
      .filter(({ devices }) => devices >= k)
      .map(({ confidence, oneDevice, devices }) => ({
        prior,
        devices: countOf(devices, k) ?? 0,
        confidence: decimals(confidence, 3),
        one_device: decimals(oneDevice, 3),
      })),
  );
}

/** Returns how often browsers agree with themselves on a facet after a number of days. Each counts as one. */
function agreementOf(
  same: StudyPairs['same'],
  at: number,
  { from, to, k }: { readonly from: number; readonly to: number; readonly k: number },
): Share | null {
  const found = new Map<number, { agree: number; pairs: number }>();
  for (const { a, b, days, devices } of same) {
    if (days < from || days > to || a[at] === 0 || b[at] === 0) continue;
    const own = found.get(devices[0]) ?? { agree: 0, pairs: 0 };
    own.pairs++;
    if (a[at] === b[at]) own.agree++;
    found.set(devices[0], own);
  }
  const hits = [...found.values()].reduce((sum, { agree, pairs }) => sum + agree / pairs, 0);
  return shareOf(hits, found.size, k);
}

/** Fits weights on one half of the browsers and returns their equal error rate on the other. */
function weightsOf(again: readonly StudiedKey[], random: () => number, k: number): StudyReport['weights'] {
  const half = (rest: number) => again.filter((_, at) => at % 2 === rest);
  const [fitted, judged] = [half(0), half(1)];
  const shares = frequencies(fitted.flatMap(({ visits }) => visits.at(-1)?.fingerprint ?? []));
  const suggested = suggestWeights(fitted, shares, random);
  const pairs = pairsOf(judged, random, { different: 100_000, lookAlikes: 0 });
  const rate = (table: Weights, withShares: boolean) => {
    const score = scorer(table);
    const scored: Score = withShares ? (a, b, days) => score(a, b, days, shares) : score;
    return errorRate(pairs, scored, { count: judged.length, k, random })?.share ?? null;
  };
  return {
    suggested,
    shipped,
    equal_error_rate: {
      shipped: rate(shipped, false),
      shipped_with_shares: rate(shipped, true),
      suggested: rate(suggested, false),
      suggested_with_shares: rate(suggested, true),
    },
  };
}

function suggestWeights(fitted: readonly StudiedKey[], shares: Frequencies, random: () => number): Weights {
  const { lookAlikes } = pairsOf(fitted, random, { ...pairCounts, different: 0 });
  const same = Array.from({ length: Math.ceil(fittedPairs / fitted.length) }, () =>
    fitted.map(({ visits }) => pairOf(...twoVisits(visits, random))),
  ).flat();
  return fitWeights({
    same,
    lookAlikes,
    shares,
    // No project is large enough to show that a facet never changes.
    hardwareKept: (name, measured) => Math.min(shipped[name].m, measured ?? 1),
  });
}
