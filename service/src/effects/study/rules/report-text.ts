import { facets, priors } from 'whorl/fingerprint';
import type { Share } from './figures.js';
import type { StudyReport } from './report.js';

/** Returns the report as Markdown. */
export function describeStudy(report: StudyReport): string {
  return [
    '# Field study of Whorl fingerprints',
    aboutOf(report),
    '## Split and merge rates',
    ratesOf(report),
    '## Calibration of compare',
    calibrationOf(report),
    '## Facets',
    facetsOf(report),
    '## Weights',
    weightsOf(report),
    '',
  ].join('\n\n');
}

function aboutOf({ counts, k, seed, is_sample }: StudyReport): string {
  return [
    `This report contains figures about groups of at least ${k} devices, and no fingerprint, facet value, ID, address, user or`,
    'project name. Counts have two significant digits. Read it before you share it.',
    '',
    table(
      ['counted', 'number'],
      [
        [`keys${is_sample ? `, a sample with seed ${seed}` : ''}`, count(counts.keys, k)],
        ['keys seen on two days or more', count(counts.keys_seen_again, k)],
        ['users of these keys', count(counts.users, k)],
        ['visits studied', count(counts.fingerprints, k)],
        ['fingerprints that could not be read', count(counts.unreadable_fingerprints, k)],
        ['pairs of one key', count(counts.pairs_same, k)],
        ['pairs of two keys of different users', count(counts.pairs_different, k)],
      ],
    ),
  ].join('\n');
}

function ratesOf(report: StudyReport): string {
  return [
    table(
      ['rate', 'share', '95% interval'],
      [
        ['split: a key was given several identities', ...shown(report.split)],
        ['merge: the identity was also given to another key', ...shown(report.identity_with_another_key)],
        ['… which was in use between two uses of this one', ...shown(report.identity_with_overlapping_key)],
        ['two keys of one user on one day that compare takes for one', ...shown(report.own_browsers_taken_for_one)],
      ],
    ),
    '',
    'A key belongs to one browser profile. People who delete website data get a new key, and a device can have several profiles, so',
    'the three merge rates are upper bounds.',
  ].join('\n');
}

function calibrationOf({ equal_error_rate: rate, calibration }: StudyReport): string {
  const [share, interval] = shown(rate);
  return [
    `Equal error rate of compare with the shipped weights: ${share} (${interval})${rate ? `, at ${rate.bits} bits` : ''}.`,
    '',
    'Pairs are weighted by the prior odds. A confidence is accurate if it equals the share of pairs from one key.',
    '',
    table(
      ['prior', 'mean confidence', 'from one key', 'devices'],
      calibration.map((row) => [
        `${row.prior} (${odds(priors[row.prior])})`,
        row.confidence.toFixed(3),
        row.one_device.toFixed(3),
        String(row.devices),
      ]),
    ),
  ].join('\n');
}

function facetsOf(report: StudyReport): string {
  const days = Object.keys(report.facets[0]?.agreement ?? {});
  return [
    'Agreement: how often a key has the same value after about this many days. By chance: how often two keys have the same value.',
    '',
    table(
      ['facet', 'readable', 'entropy, bits', 'by chance', ...days.map((day) => `${day} d`)],
      report.facets.map(({ name, readable, entropy_bits, chance_agreement, agreement }) => [
        name,
        shown(readable)[0],
        entropy_bits?.toFixed(1) ?? none,
        chance_agreement?.toFixed(2) ?? none,
        ...days.map((day) => shown(agreement[day] ?? null)[0]),
      ]),
    ),
  ].join('\n');
}

function weightsOf({ weights }: StudyReport): string {
  if (!weights)
    return 'There are too few keys to fit weights on one half and to judge them on the other: at least 1,000 are needed.';
  const { shipped, suggested, equal_error_rate: rates } = weights;
  return [
    'Fitted to half of the keys. The equal error rates are of the other half.',
    '',
    table(
      ['weights', 'equal error rate', '95% interval'],
      [
        ['shipped', ...shown(rates.shipped)],
        ["shipped, with this project's frequencies", ...shown(rates.shipped_with_shares)],
        ['suggested', ...shown(rates.suggested)],
        ["suggested, with this project's frequencies", ...shown(rates.suggested_with_shares)],
      ],
    ),
    '',
    'Each cell: shipped → suggested.',
    '',
    table(
      ['facet', 'u', 'm', 'lasting', 'halfLifeDays', 'damping'],
      facets.map(({ name }) => [
        name,
        ...(['u', 'm', 'lasting', 'halfLifeDays', 'damping'] as const).map(
          (number) => `${shipped[name][number]} → ${suggested[name][number]}`,
        ),
      ]),
    ),
  ].join('\n');
}

/** Cell of a figure that too few devices stand behind. */
const none = '–';

function shown(share: Share | null): [share: string, interval: string] {
  if (!share) return [none, none];
  const sign = share.bound ? { at_most: '≤ ', at_least: '≥ ' }[share.bound] : '';
  return [`${sign}${percent(share.share)}`, `${percent(share.low)} to ${percent(share.high)}`];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

function count(number: number | null, k: number): string {
  return number === null ? `fewer than ${k}` : number.toLocaleString('en');
}

function odds(prior: number): string {
  return prior < 1 ? `1 to ${Math.round(1 / prior).toLocaleString('en')}` : `${prior} to 1`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
