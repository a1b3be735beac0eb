import type {
  AddressInfo,
  AlertKind,
  Excuse,
  FeedbackLabel,
  ListEffect,
  ListKind,
  Reason,
  RiskFact,
  RuleEffect,
} from 'whorl/wire';

/** Actions with their own column in the policy. Any other action is judged as `login`. */
export const columns = ['login', 'signup', 'referral'] as const;

export type Column = (typeof columns)[number];

/** Returns the column for an action. */
export function columnOf(action: string): Column {
  return columns.find((column) => column === action) ?? 'login';
}

/**
 * Effects of a reason: it is not detected, it is only reported, or it leads to a stricter verdict. Positions are stored, so
 * append only.
 */
export const effects = ['off', 'report', 'restrict', 'challenge', 'challenge_and_restrict', 'deny'] as const;

export type Effect = (typeof effects)[number];

/**
 * How a reason that the policy enforces counted towards the verdict. Stored with the evaluation, so that it shows what
 * was true then. Reasons that the policy only reports have none.
 */
export interface Decision {
  readonly reason: Reason;
  /** Name of the rule. Only for the reason `rule`. */
  readonly rule?: string;
  /** What the policy or the rule says. */
  readonly effect: RuleEffect;
  /** Condition of the policy's cell, in words. */
  readonly condition?: string;
  /** Whether the project replaced the cell. */
  readonly overridden?: true;
  /** Present if anything made the effect milder. */
  readonly excused?: { readonly by: readonly Excuse[]; readonly left: Effect };
}

/** The languages of messages and pages. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** What can make the effect of a reason milder. Positions are stored, so append only. */
export const excuses = [
  'trust',
  'address_change',
  'allow_entry',
  'rule',
  'completed_challenge',
  'weak_evidence',
  'risk_score',
  'takeover_protection_off',
  'learning_days',
  'test_key',
  'observe_mode',
  'shadow',
  'rule_failed',
] as const satisfies readonly Excuse[];

/** What rules of projects do: the verdicts, which decide, and three that only mark. */
export const ruleEffects = [
  'allow',
  'restrict',
  'challenge',
  'challenge_and_restrict',
  'deny',
  'review',
  'report',
  'tag',
] as const satisfies readonly RuleEffect[];

/** What entries of lists name. */
export const listKinds = [
  'device',
  'hardware',
  'user',
  'address',
  'asn',
  'country',
  'email_domain',
] as const satisfies readonly ListKind[];

/** What entries of lists do, the strictest first. */
export const listEffects = ['block', 'allow', 'review'] as const satisfies readonly ListEffect[];

/** Why an evaluation waits for a review: a rule or a list marked it, it was restricted or denied, or its score is high. */
export type ReviewCause = 'mark' | 'verdict' | 'score';

/** What a review decides. */
export type ReviewDecision = FeedbackLabel | 'set_aside';

/** Lists of the dashboard whose filters can be saved as views. */
export const viewedLists = ['evaluations', 'users', 'devices', 'challenges'] as const;

export type ViewedList = (typeof viewedLists)[number];

/** What members do to many rows at once. */
export const bulkActionNames = [
  'suspend',
  'activate',
  'block',
  'unblock',
  'trust',
  'list_user',
  'list_device',
  'list_address',
  'label_fraud',
  'label_legitimate',
  'end_sessions',
] as const;

export type BulkActionName = (typeof bulkActionNames)[number];

/** What evaluations are counted by. */
export const subjectKinds = ['user', 'device', 'address', 'network', 'asn', 'email_domain'] as const;

export type SubjectKind = (typeof subjectKinds)[number];

/** The same, and the counters that rules of a project name. */
export type CountedKind = SubjectKind | 'counter';

/** What is known about an address, as it is stored. The sources are in the sealed request, except those of older versions. */
export type StoredAddress = Omit<AddressInfo, 'sources'> & Partial<Pick<AddressInfo, 'sources'>>;

/** A risk as it is stored, in a third of the bytes of its JSON. */
export type StoredRisk = readonly [bits: number, ...contributions: StoredContribution[]];

/** What a fact contributes, with the sentences that explain it. */
export type StoredContribution = readonly [fact: RiskFact, bits: number, ...sentences: ShortSentence[]];

/** A sentence as its position in a table and its values, or its text if the table does not have it. */
export type ShortSentence = string | readonly [position: number, ...values: string[]];

/** Reason for a failed attempt. `address`: the receiver's address is not allowed. */
export type WebhookFailure = 'address' | 'dns' | 'connection' | 'tls' | 'timeout' | 'status' | 'redirect';

/** Scopes of secret keys. `service/src/http/scopes.ts` says which endpoints each allows. */
export const keyScopes = ['evaluate', 'read', 'manage'] as const;

export type KeyScope = (typeof keyScopes)[number];

/** What somebody should look at, on the overview and in alerts. */
export const alertKinds = [
  'unusual_rate',
  'campaign',
  'failing_webhook',
  'failing_rule',
  'old_address_data',
  'no_mail',
  'waiting_reviews',
] as const satisfies readonly AlertKind[];
