import type { IntegrityBit } from 'whorl/fingerprint';
import type { Reason, Strength, Verdict } from 'whorl/wire';
import { type Column, columns, type Effect } from '../../ground/vocabulary.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import type { Facts, Finding } from './facts.js';
import { judgedBy } from './judged-by.js';
import { countOthers, isAtLeast, isFromSource } from './strength.js';

/** Effect of a reason if all its conditions are met. */
export interface ConditionalEffect {
  readonly effect: Effect;
  /** Minimum strength of the evidence. */
  readonly strength?: Strength;
  /** Minimum number of other users with evidence of that strength. */
  readonly others?: number;
  /** At least one of these reasons was found too. */
  readonly with?: readonly Reason[];
  /** The project judges logins this way: see `judgedBy`. */
  readonly judgedBy?: Settings['judge_by'];
  /** The attempt comes from a source of the failures: an address, a network, or a device that is not a common one. */
  readonly fromSource?: true;
  /** The evidence includes an integrity bit other than these. */
  readonly moreThan?: readonly IntegrityBit[];
}

/** Effects of a reason on an action: one that always applies, and stricter ones with conditions. The strictest wins. */
export type Cell = readonly [always: Effect, ...conditional: ConditionalEffect[]];

/**
 * Open developer tools set the first bit too, and a page that replaces a browser's function by a broken one sets the
 * second. So neither affects the verdict without another.
 */
const moreThan: readonly IntegrityBit[] = ['inspected', 'unreadable_check'];

/**
 * Effects of each reason on each action, unless a project overrides them. With `off`, the reason is not raised for the
 * action. docs/verdicts.md shows this table, and a test compares the two.
 */
export const policy: Readonly<Record<Reason, Readonly<Record<Column, Cell>>>> = {
  new_device: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  new_ip: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  unproven_device: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  impossible_travel: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  new_country: { login: ['report'], signup: ['off'], referral: ['off'] },
  anonymous_network: { login: ['report'], signup: ['report'], referral: ['restrict'] },
  limit_exceeded: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  concurrency: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  multiple_accounts: {
    login: ['report'],
    signup: [
      'report',
      { effect: 'restrict', strength: 'corroborated' },
      { effect: 'deny', strength: 'proven', others: 3 },
    ],
    referral: ['report', { effect: 'restrict', strength: 'corroborated' }, { effect: 'deny', strength: 'proven' }],
  },
  self_referral: {
    login: ['off'],
    signup: ['report', { effect: 'restrict', strength: 'corroborated' }],
    referral: ['report', { effect: 'restrict', strength: 'corroborated' }, { effect: 'deny', strength: 'proven' }],
  },
  velocity: { login: ['challenge'], signup: ['restrict'], referral: ['restrict'] },
  password_guessing: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  credential_stuffing: {
    login: ['challenge'],
    signup: ['report', { effect: 'restrict', fromSource: true }],
    referral: ['off'],
  },
  disposable_email: { login: ['off'], signup: ['restrict'], referral: ['restrict'] },
  automation: {
    login: ['report', { effect: 'challenge', moreThan }],
    signup: [
      'report',
      { effect: 'restrict', moreThan },
      { effect: 'deny', moreThan, with: ['velocity', 'disposable_email'] },
    ],
    referral: ['report', { effect: 'restrict', moreThan }],
  },
  declared_agent: { login: ['report'], signup: ['report'], referral: ['report'] },
  tampering: { login: ['challenge_and_restrict'], signup: ['challenge_and_restrict'], referral: ['restrict'] },
  unreadable_fingerprint: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  high_risk: { login: ['report', { effect: 'challenge', judgedBy: 'risk' }], signup: ['report'], referral: ['report'] },
  blocked: { login: ['deny'], signup: ['deny'], referral: ['deny'] },
};

/** Returns the column for an action. */
export function columnOf(action: string): Column {
  return columns.find((column) => column === action) ?? 'login';
}

/** Returns the cell that applies: the project's override, otherwise the default. */
export function cellOf(reason: Reason, { action, settings }: Pick<Facts, 'action' | 'settings'>): Cell {
  const column = columnOf(action);
  const override = settings.policy[column]?.[reason];
  return override === undefined ? policy[reason][column] : replace(policy[reason][column], override);
}

/** Returns a cell with a project's override. Of the cell's conditions, only `moreThan` still applies. */
function replace([, ...conditional]: Cell, override: Effect): Cell {
  const bits = conditional.find((rule) => rule.moreThan)?.moreThan;
  return bits && override !== 'off' ? ['report', { effect: override, moreThan: bits }] : [override];
}

/** Returns whether a reason is detected for the action. */
export function isRaised(reason: Reason, facts: Pick<Facts, 'action' | 'settings'>): boolean {
  return cellOf(reason, facts)[0] !== 'off';
}

/** Returns the effect of a cell for one finding, given the reasons of all findings. */
export function effectOfCell([always, ...conditional]: Cell, finding: Finding, found: readonly Reason[], facts: Facts) {
  const applying = conditional.filter(
    (rule) =>
      (rule.strength === undefined || isAtLeast(finding.strength, rule.strength)) &&
      (rule.others === undefined || countOthers(facts, rule.strength ?? 'fingerprint') >= rule.others) &&
      (rule.judgedBy === undefined || rule.judgedBy === judgedBy(facts)) &&
      (rule.with === undefined || rule.with.some((reason) => found.includes(reason))) &&
      (rule.fromSource === undefined || isFromSource(finding, facts)) &&
      (rule.moreThan === undefined || showsMoreThan(rule.moreThan, finding)),
  );
  return strictest([always, ...applying.map(({ effect }) => effect)]);
}

function showsMoreThan(bits: readonly IntegrityBit[], { evidence: { integrity } }: Finding): boolean {
  return Array.isArray(integrity) && integrity.some((each) => !bits.includes(each));
}

/** Returns a cell in readable form: `report; corroborated: restrict; proven, 3 or more: deny`. */
export function cellInWords([always, ...conditional]: Cell): string {
  return [always, ...conditional.map((rule) => `${conditionOf(rule)}: ${rule.effect}`)].join('; ');
}

function conditionOf({
  strength,
  others,
  judgedBy: by,
  with: reasons,
  moreThan,
  fromSource,
}: ConditionalEffect): string {
  const names = reasons?.map((reason) => `\`${reason}\``).join(' or ');
  const parts = [
    by && `\`judge_by: ${by}\``,
    strength,
    others && `${others} or more`,
    moreThan && `more than ${moreThan.map((bit) => `\`${bit}\``).join(' or ')}`,
    fromSource && 'from a source',
  ];
  return [...parts, names && `with ${names}`].filter(Boolean).join(', ');
}

const challenging: readonly Effect[] = ['challenge', 'challenge_and_restrict'];
const restricting: readonly Effect[] = ['restrict', 'challenge_and_restrict'];

/** Returns the strictest of several effects; `restrict` and `challenge` together give `challenge_and_restrict`. */
export function strictest(effects: readonly Effect[]): Effect {
  if (effects.includes('deny')) return 'deny';
  const challenges = effects.some((effect) => challenging.includes(effect));
  const restricts = effects.some((effect) => restricting.includes(effect));
  if (challenges) return restricts ? 'challenge_and_restrict' : 'challenge';
  if (restricts) return 'restrict';
  return effects.includes('report') ? 'report' : 'off';
}

/** Returns the verdict that results from several effects. */
export function verdictOf(effects: readonly Effect[]): Verdict {
  const effect = strictest(effects);
  return effect === 'off' || effect === 'report' ? 'allow' : effect;
}

/** Returns the stricter of two verdicts; `restrict` and `challenge` together give `challenge_and_restrict`. */
export function stricterVerdict(one: Verdict, other: Verdict): Verdict {
  return verdictOf([effectOf(one), effectOf(other)]);
}

/** Returns a verdict without its challenge, after the challenge was completed. */
export function verdictWithoutChallenge(verdict: Verdict): Verdict {
  return verdictOf([withoutChallenge(effectOf(verdict))]);
}

function effectOf(verdict: Verdict): Effect {
  return verdict === 'allow' ? 'report' : verdict;
}

/** Returns an effect without its challenge. */
export function withoutChallenge(effect: Effect): Effect {
  if (effect === 'challenge') return 'report';
  return effect === 'challenge_and_restrict' ? 'restrict' : effect;
}
