import type { ListKind, Verdict } from 'whorl/wire';
import {
  type Period,
  type PeriodName,
  periodNames,
  periodOf,
  type Series,
  seriesOf,
  verdicts,
} from '../../effects/activity/rules.js';
import type { EvaluationFilter } from '../../evaluation/search/rules/filters.js';
import type { StoredAddress } from '../../ground/vocabulary.js';
import { readAddress } from '../../resources/addresses/addresses.js';
import { normaliseValue, valueRules } from '../../resources/lists/rules/values.js';

/** Kinds of lists whose values have a page each. */
export const subjectKinds = ['address', 'asn', 'country', 'hardware', 'email_domain'] as const satisfies ListKind[];

/** What evaluations can have in common, as lists name it. An address is one IPv4 address, or an IPv6 /64. */
export interface Subject {
  readonly kind: (typeof subjectKinds)[number];
  readonly value: string;
}

/** Returns the subject that has a page. Undefined for another kind, an invalid value, or another range of addresses. */
export function readSubject(kind: string | null | undefined, text: string | null): Subject | undefined {
  const known = subjectKinds.find((each) => each === kind);
  if (known === undefined || text === null) return undefined;
  const value = known === 'address' ? networkOf(text) : normaliseValue(known, text);
  return value === undefined ? undefined : { kind: known, value };
}

function networkOf(text: string): string | undefined {
  const [ip = '', bits] = normaliseValue('address', text)?.split('/') ?? [];
  if (bits !== undefined && (bits !== '64' || !ip.includes(':'))) return undefined;
  return readAddress(ip)?.network;
}

/** What a value must be, after "must be". */
export function subjectForm(kind: Subject['kind']): string {
  return kind === 'address' ? 'an IPv4 address, an IPv6 address or an IPv6 /64' : valueRules[kind].form;
}

/** Returns the path of the page of a subject, within its world. */
export function subjectPath({ kind, value }: Subject): string {
  return `/subjects/${kind}?${new URLSearchParams({ value })}`;
}

/** Returns the filter that finds the evaluations of a subject. Undefined for email domains, which they do not store. */
export function subjectFilter({ kind, value }: Subject): EvaluationFilter | undefined {
  if (kind === 'address') return { ip: value };
  if (kind === 'asn') return { asn: value };
  if (kind === 'country') return { country: value };
  return kind === 'hardware' ? { hardware_id: value } : undefined;
}

/** Evaluation that is counted. */
export interface CountedEvaluation {
  readonly created_at: Date;
  readonly user_id: string | null;
  readonly external_user: string | null;
  readonly device_id: string | null;
  readonly verdict: Verdict;
  readonly outcome: 'succeeded' | 'failed';
  readonly ip: string | null;
  readonly address: StoredAddress | null;
}

/** User of counted evaluations. */
export interface CountedUser {
  readonly userId: string | null;
  readonly externalUser: string;
  readonly evaluations: number;
  /** Those with another verdict than `allow`. */
  readonly notAllowed: number;
  readonly lastSeenAt: Date;
}

/** Value and how many evaluations have it. */
export interface Tally {
  readonly value: string;
  readonly count: number;
}

export interface Summary {
  readonly evaluations: number;
  readonly failed: number;
  readonly period: Period;
  readonly verdicts: readonly Series<Verdict>[];
  /** Most recently seen first. */
  readonly users: readonly CountedUser[];
  /** IDs, most recently seen first. */
  readonly deviceIds: readonly string[];
  /** The most frequent ones. */
  readonly addresses: readonly Tally[];
  readonly networks: readonly Tally[];
  readonly countries: readonly Tally[];
  readonly kinds: readonly Tally[];
  /** Organisations by ASN. */
  readonly organisations: ReadonlyMap<string, string>;
}

/** Number of values that are shown of each sort. */
const maxTallies = 10;

/**
 * Counts evaluations, given newest first.
 *
 * @param end When the period of the chart ends.
 */
export function summarise(rows: readonly CountedEvaluation[], end: Date): Summary {
  const period = periodFor(rows.at(-1)?.created_at ?? end, end);
  const counted = rows.map(({ created_at, verdict }) => ({
    at: created_at,
    kind: 'verdict',
    label: verdict,
    count: 1,
  }));
  const ids = rows.flatMap(({ device_id }) => device_id ?? []);
  const infos = rows.flatMap(({ address }) => address ?? []);
  return {
    evaluations: rows.length,
    failed: rows.filter(({ outcome }) => outcome === 'failed').length,
    period,
    // The chart begins 90 days ago at most, and the totals are of all rows.
    verdicts: verdicts
      .map((label) => ({
        ...seriesOf(period, counted, 'verdict', label),
        total: rows.filter(({ verdict }) => verdict === label).length,
      }))
      .filter(({ total }) => total > 0),
    users: usersOf(rows),
    deviceIds: [...new Set(ids)],
    addresses: tallied(rows.map(({ ip }) => (ip === null ? undefined : readAddress(ip)?.network))),
    networks: tallied(infos.map(({ asn }) => (asn === undefined ? undefined : String(asn)))),
    countries: tallied(infos.map(({ country }) => country)),
    kinds: tallied(infos.map(({ kind }) => kind)),
    organisations: new Map(
      infos.flatMap(({ asn, organisation }) =>
        asn === undefined || organisation === undefined ? [] : [[String(asn), organisation]],
      ),
    ),
  };
}

/** Returns the shortest period that ends at a time and begins before the oldest evaluation; otherwise the longest. */
function periodFor(oldest: Date, end: Date): Period {
  const covers = (name: PeriodName) => periodOf(name, end).starts[0] <= oldest;
  return periodOf(periodNames.find(covers) ?? '90d', end);
}

function usersOf(rows: readonly CountedEvaluation[]): CountedUser[] {
  const users = new Map<string, CountedUser>();
  for (const { user_id: userId, external_user: externalUser, created_at: lastSeenAt, verdict } of rows) {
    if (externalUser === null) continue;
    const key = userId ?? externalUser;
    const known = users.get(key) ?? { userId, externalUser, evaluations: 0, notAllowed: 0, lastSeenAt };
    const notAllowed = known.notAllowed + (verdict === 'allow' ? 0 : 1);
    users.set(key, { ...known, evaluations: known.evaluations + 1, notAllowed });
  }
  return [...users.values()];
}

function tallied(values: readonly (string | undefined)[]): Tally[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  const tallies = [...counts].map(([value, count]) => ({ value, count }));
  return tallies.sort((one, other) => other.count - one.count).slice(0, maxTallies);
}

/** Returns whether a domain is another one, or within it. */
export function isWithinDomain(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
