import type { IntegrityBit } from 'whorl/fingerprint';
import type { Reason, Verdict } from 'whorl/wire';
import { columnOf, type Effect } from '../../ground/vocabulary.js';
import type { Facts, Finding } from './facts.js';
import { judgedBy } from './judged-by.js';
import type { Cell, ConditionalEffect } from './reason.js';
import { reasonRules } from './reasons/table.js';
import { countOthers, isAtLeast, isFromSource } from './strength.js';

/** Returns the cell that applies: the project's override, otherwise the default. */
export function cellOf(reason: Reason, { action, settings }: Pick<Facts, 'action' | 'settings'>): Cell {
  const column = columnOf(action);
  const byDefault = reasonRules[reason].policy[column];
  const override = settings.policy[column]?.[reason];
  return override === undefined ? byDefault : replace(byDefault, override);
}

/** Returns whether the project replaces the cell that applies. */
export function isOverridden(reason: Reason, { action, settings }: Pick<Facts, 'action' | 'settings'>): boolean {
  return settings.policy[columnOf(action)]?.[reason] !== undefined;
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

/** Effect of a cell for one finding. */
export interface CellEffect {
  readonly effect: Effect;
  /** Condition that gave the cell this effect, in words. */
  readonly condition?: string;
}

/** Returns the effect of a cell for one finding, given the reasons of all findings. */
export function effectOfCell(
  [always, ...conditional]: Cell,
  finding: Finding,
  found: readonly Reason[],
  facts: Facts,
): CellEffect {
  const applying = conditional.filter(
    (rule) =>
      (rule.strength === undefined || isAtLeast(finding.strength, rule.strength)) &&
      (rule.others === undefined || countOthers(facts, rule.strength ?? 'fingerprint') >= rule.others) &&
      (rule.judgedBy === undefined || rule.judgedBy === judgedBy(facts)) &&
      (rule.with === undefined || rule.with.some((reason) => found.includes(reason))) &&
      !rule.otherThan?.includes(facts.action) &&
      (rule.fromSource === undefined || isFromSource(finding, facts)) &&
      (rule.moreThan === undefined || showsMoreThan(rule.moreThan, finding)),
  );
  const effect = strictest([always, ...applying.map((rule) => rule.effect)]);
  const deciding = effect === always ? [] : applying.filter((rule) => rule.effect === effect);
  // Quotation marks are for Markdown.
  const condition = deciding.map((rule) => conditionOf(rule).replaceAll('`', '')).join('; ');
  return { effect, ...(condition !== '' && { condition }) };
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
  otherThan,
}: ConditionalEffect): string {
  const names = reasons?.map((reason) => `\`${reason}\``).join(' or ');
  const parts = [
    by && `\`judge_by: ${by}\``,
    strength,
    others && `${others} or more`,
    moreThan && `more than ${moreThan.map((bit) => `\`${bit}\``).join(' or ')}`,
    fromSource && 'from a source',
    otherThan && `not ${otherThan.map((action) => `\`${action}\``).join(' or ')}`,
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
