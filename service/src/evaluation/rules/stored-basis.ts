import type { Outcome, Reason, Verdict } from 'whorl/wire';
import type { Decision, StoredAddress } from '../../ground/vocabulary.js';
import type {
  CounterValue,
  CounterValues,
  FactName,
  FactValues,
} from '../../resources/projects/rules/conditions/facts.js';
import type { RuleExemptions } from './custom-rules.js';
import type { RuleBasis } from './rule-basis.js';
import { decisionsFrom, decodeDecisions, encodeDecisions, type StoredDecision } from './stored-decisions.js';

/** Columns of an evaluation that may hold less than the facts. */
interface StoredBeside {
  readonly reasons: readonly Reason[];
  readonly address: StoredAddress | null | undefined;
}

/** Other columns of an evaluation, which hold facts too. */
export interface BasisColumns extends StoredBeside {
  readonly action: string;
  readonly outcome: Outcome;
  readonly external_user: string | null;
  readonly ip: string | null;
}

/** The part of an evaluation's sealed request that holds facts. */
export interface BasisRequest {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly email_domain?: string;
}

/** Basis of an evaluation as it was stored. */
export interface StoredBasis {
  readonly basis: RuleBasis;
  /** Facts that were not stored. Conditions that read one cannot be evaluated. */
  readonly unknown: ReadonlySet<FactName>;
}

/**
 * Facts that are stored, in this order. Append only: in the evaluations of older versions, the facts at the end are
 * unknown. Facts that are in other columns in most cases are stored as 0 if they are, see `markOf`.
 */
const storedFacts = [
  'reasons',
  'user.is_new',
  'user.evaluations_today',
  'user.failures_today',
  'user.devices_today',
  'user.countries_today',
  'device.is_new',
  'device.is_trusted',
  'device.is_proven',
  'device.kind',
  'device.os',
  'device.browser',
  'device.matched_by',
  'device.other_users',
  'device.users_today',
  'address.is_trusted',
  'address.users_today',
  'address.failures_today',
  'address.signups_today',
  'risk.score',
  'time.hour',
  'time.weekday',
  'metadata',
  'email.domain',
  'address.organisation',
] as const satisfies readonly FactName[];

type StoredName = (typeof storedFacts)[number];
type StoredValue = number | string | readonly string[];
type Stored = readonly [
  flags: number,
  claimed: Verdict,
  decisions: readonly StoredDecision[],
  facts: readonly StoredValue[],
  /** Values of counters. Absent if the rules named none, so that most evaluations do not grow. */
  counters?: readonly StoredCounter[],
];

/** ID of a counter, and its value in a short form. */
type StoredCounter = readonly [id: string, value: number];

/** What stands for a counter without a value. */
const withoutValue = { missing: -1, failed: -2 } as const;

const flag = { isAllowed: 1, isTrusted: 2, hasPassedChallenge: 4, isLearning: 8 } as const;

/** Returns a basis in a short form, without what the other columns hold. */
export function encodeBasis({ values, decisions, exemptions, claimed }: RuleBasis, columns: StoredBeside): string {
  const flags =
    (exemptions.isAllowed ? flag.isAllowed : 0) +
    (exemptions.isTrusted ? flag.isTrusted : 0) +
    (exemptions.hasPassedChallenge ? flag.hasPassedChallenge : 0) +
    (exemptions.isLearning ? flag.isLearning : 0);
  const facts = storedFacts.map((name) => markOf(name, values, columns) ?? numberOrText(values[name]));
  const stored = encodeDecisions(decisions, columns.reasons);
  const counters = [...(values.counters ?? [])].map(
    ([id, value]) => [id, typeof value === 'number' ? value : withoutValue[value]] as const,
  );
  const parts: Stored =
    counters.length === 0 ? [flags, claimed, stored, facts] : [flags, claimed, stored, facts, counters];
  return JSON.stringify(parts);
}

/** Columns of an evaluation that its decisions are read from. */
interface DecisionColumns {
  readonly decisions: readonly Decision[] | null;
  readonly rule_basis: string | null;
  readonly reasons: readonly Reason[];
  readonly observed_verdict: Verdict | null;
}

/** Returns stored decisions. Undefined for an evaluation of an older version, which has none. */
export function storedDecisions({
  decisions,
  rule_basis,
  reasons,
  observed_verdict,
}: DecisionColumns): readonly Decision[] | undefined {
  if (decisions !== null || rule_basis === null) return decisions ?? undefined;
  const [flags, , stored]: Stored = JSON.parse(rule_basis);
  const basis = { decisions: decodeDecisions(stored, reasons), exemptions: exemptionsIn(flags) };
  return decisionsFrom(basis, observed_verdict !== null);
}

function countersOf(stored: readonly StoredCounter[]): CounterValues {
  return new Map(stored.map(([id, value]) => [id, counterValueOf(value)]));
}

function counterValueOf(value: number): CounterValue {
  if (value === withoutValue.missing) return 'missing';
  return value === withoutValue.failed ? 'failed' : value;
}

/** Returns what stands for a fact that other columns hold, or the sealed request: 0 if nothing is missing there. */
function markOf(name: StoredName, values: FactValues, { reasons, address }: StoredBeside): StoredValue | undefined {
  if (name === 'metadata') return Object.keys(values.metadata).length === 0 ? 0 : 1;
  if (name === 'email.domain') return values[name] === '' ? 0 : 1;
  if (name === 'address.organisation') return values[name] === (address?.organisation ?? '') ? 0 : 1;
  if (name === 'reasons') return values.reasons.join() === withoutRule(reasons).join() ? 0 : values.reasons;
  return undefined;
}

/** A rule cannot read whether rules match. */
function withoutRule(reasons: readonly Reason[]): Reason[] {
  return reasons.filter((reason) => reason !== 'rule');
}

function numberOrText(value: FactValues[FactName]): StoredValue {
  return typeof value === 'string' ? value : Number(value);
}

/** Facts that are read from the sealed request. */
export const factsInRequest: readonly FactName[] = ['metadata', 'email.domain'];

/** Returns a stored basis. `request`: undefined if no condition reads its facts. */
export function decodeBasis(text: string, columns: BasisColumns, request: BasisRequest | undefined): StoredBasis {
  const [flags, claimed, stored, facts, counters]: Stored = JSON.parse(text);
  const { values: read, unknown } = valuesOf(facts, columns, request);
  const values = counters ? { ...read, counters: countersOf(counters) } : read;
  const decisions = decodeDecisions(stored, columns.reasons);
  return { basis: { values, decisions, exemptions: exemptionsIn(flags), claimed }, unknown };
}

function exemptionsIn(flags: number): RuleExemptions {
  return {
    isAllowed: (flags & flag.isAllowed) !== 0,
    isTrusted: (flags & flag.isTrusted) !== 0,
    hasPassedChallenge: (flags & flag.hasPassedChallenge) !== 0,
    isLearning: (flags & flag.isLearning) !== 0,
  };
}

const positions = new Map<FactName, number>(storedFacts.map((name, index) => [name, index]));

function valuesOf(
  facts: readonly StoredValue[],
  { action, outcome, external_user, reasons, ip, address }: BasisColumns,
  request: BasisRequest | undefined,
): { readonly values: FactValues; readonly unknown: ReadonlySet<FactName> } {
  const unknown = new Set<FactName>();
  const known = <Value>(name: FactName, value: Value | undefined, otherwise: Value): Value => {
    if (value === undefined) unknown.add(name);
    return value ?? otherwise;
  };
  const at = (name: StoredName) => facts[positions.get(name) ?? -1];
  const text = (name: StoredName) => {
    const value = at(name);
    return known(name, typeof value === 'string' ? value : undefined, '');
  };
  const number = (name: StoredName) => {
    const value = at(name);
    return known(name, typeof value === 'number' ? value : undefined, 0);
  };
  const bool = (name: StoredName) => number(name) === 1;
  const isEmpty = (name: StoredName) => at(name) === 0;
  const listed = at('reasons');
  const values: FactValues = {
    action,
    outcome,
    metadata: isEmpty('metadata') ? {} : known('metadata', request?.metadata, {}),
    reasons: Array.isArray(listed) ? listed : withoutRule(reasons),
    'user.id': known('user.id', external_user ?? undefined, ''),
    'user.is_new': bool('user.is_new'),
    'user.evaluations_today': number('user.evaluations_today'),
    'user.failures_today': number('user.failures_today'),
    'user.devices_today': number('user.devices_today'),
    'user.countries_today': number('user.countries_today'),
    'device.is_new': bool('device.is_new'),
    'device.is_trusted': bool('device.is_trusted'),
    'device.is_proven': bool('device.is_proven'),
    'device.kind': text('device.kind'),
    'device.os': text('device.os'),
    'device.browser': text('device.browser'),
    'device.matched_by': text('device.matched_by'),
    'device.other_users': number('device.other_users'),
    'device.users_today': number('device.users_today'),
    'address.ip': ip ?? '',
    'address.is_trusted': bool('address.is_trusted'),
    'address.country': address?.country ?? '',
    'address.asn': address?.asn ?? 0,
    // A failed attempt keeps only the beginning of a long name.
    'address.organisation': known(
      'address.organisation',
      isEmpty('address.organisation') ? (address?.organisation ?? '') : undefined,
      '',
    ),
    'address.kind': address?.kind ?? '',
    'address.users_today': number('address.users_today'),
    'address.failures_today': number('address.failures_today'),
    'address.signups_today': number('address.signups_today'),
    'email.domain': isEmpty('email.domain') ? '' : known('email.domain', request?.email_domain, ''),
    'risk.score': number('risk.score'),
    'time.hour': number('time.hour'),
    'time.weekday': number('time.weekday'),
  };
  return { values, unknown };
}
