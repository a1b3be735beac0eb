import type { IntegrityBit } from 'whorl/fingerprint';
import type { Reason, Strength } from 'whorl/wire';
import { strictest } from './effect.js';
import type { Facts, Finding } from './facts.js';
import { countOthers, isAtLeast } from './strength.js';
import { type Column, columns, type Effect } from './vocabulary.js';

/** An effect that a reason has under conditions, all of which must hold. */
export interface ConditionalEffect {
  readonly effect: Effect;
  /** The evidence is at least so strong. */
  readonly strength?: Strength;
  /** At least so many other users are known by evidence of that strength. */
  readonly others?: number;
  /** Any of these was noticed too. */
  readonly with?: readonly Reason[];
  /** The evidence shows another integrity bit than this one. */
  readonly moreThan?: IntegrityBit;
}

/** What a reason does to an action: an effect, and stricter ones under conditions. The strictest that applies counts. */
export type Cell = readonly [always: Effect, ...under: ConditionalEffect[]];

/** Open developer tools set this bit too, so it never acts alone. */
const moreThan: IntegrityBit = 'inspected';

/**
 * What each reason does to each action, where the project sets nothing else. `off` is a reason that is not raised for
 * the action. docs/verdicts.md shows this table, and a test compares the two.
 */
export const policy: Readonly<Record<Reason, Readonly<Record<Column, Cell>>>> = {
  new_device: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  new_ip: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  unproven_device: { login: ['challenge'], signup: ['report'], referral: ['report'] },
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
  tampering: { login: ['challenge_and_restrict'], signup: ['challenge_and_restrict'], referral: ['restrict'] },
  unreadable_fingerprint: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  blocked: { login: ['deny'], signup: ['deny'], referral: ['deny'] },
};

/** The column that an action is judged by. */
function columnOf(action: string): Column {
  return columns.find((column) => column === action) ?? 'login';
}

/** The cell that counts: what the project set in place of it, or else the table's own. */
export function cellOf(reason: Reason, { action, settings }: Pick<Facts, 'action' | 'settings'>): Cell {
  const column = columnOf(action);
  const set = settings.policy[column]?.[reason];
  return set === undefined ? policy[reason][column] : replace(policy[reason][column], set);
}

/** Returns what a project set in place of a cell. Of the cell's conditions, only `moreThan` stays. */
function replace([, ...under]: Cell, set: Effect): Cell {
  const bit = under.find((rule) => rule.moreThan)?.moreThan;
  return bit && set !== 'off' ? ['report', { effect: set, moreThan: bit }] : [set];
}

/** Whether a reason is looked for at all. */
export function isRaised(reason: Reason, facts: Pick<Facts, 'action' | 'settings'>): boolean {
  return cellOf(reason, facts)[0] !== 'off';
}

/** What a cell comes to for one finding, beside the others that were noticed. */
export function effectOfCell([always, ...under]: Cell, finding: Finding, noticed: readonly Reason[], facts: Facts) {
  const applying = under.filter(
    (rule) =>
      (rule.strength === undefined || isAtLeast(finding.strength, rule.strength)) &&
      (rule.others === undefined || countOthers(facts, rule.strength ?? 'fingerprint') >= rule.others) &&
      (rule.with === undefined || rule.with.some((reason) => noticed.includes(reason))) &&
      (rule.moreThan === undefined || showsMoreThan(rule.moreThan, finding)),
  );
  return strictest([always, ...applying.map(({ effect }) => effect)]);
}

function showsMoreThan(bit: IntegrityBit, { evidence: { integrity } }: Finding): boolean {
  return Array.isArray(integrity) && integrity.some((each) => each !== bit);
}

/** Returns a cell of the policy for people: `report; corroborated: restrict; proven, 3 and more: deny`. */
export function cellInWords([always, ...under]: Cell): string {
  return [always, ...under.map((rule) => `${conditionOf(rule)}: ${rule.effect}`)].join('; ');
}

function conditionOf({ strength, others, with: company, moreThan }: ConditionalEffect): string {
  const names = company?.map((reason) => `\`${reason}\``).join(' or ');
  const parts = [strength, others && `${others} and more`, moreThan && `more than \`${moreThan}\``];
  return [...parts, names && `with ${names}`].filter(Boolean).join(', ');
}
