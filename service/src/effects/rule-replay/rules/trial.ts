import { isMark } from '../../../evaluation/rules/decision.js';
import { type TriedVerdict, tryRules } from '../../../evaluation/rules/rule-basis.js';
import { factsInRequest, type StoredBasis } from '../../../evaluation/rules/stored-basis.js';
import { appliesTo, conditionOf, type Rule } from '../../../resources/projects/rules/conditions/rule.js';
import type { Settings } from '../../../resources/projects/rules/settings.js';
import type { Replayed } from './report.js';

/** Rules to try, and those to compare them with. */
export interface Trial {
  /** Those that are on, and the tried one. */
  readonly tried: readonly Rule[];
  readonly triedRule: Rule | undefined;
  readonly compared: readonly Rule[];
  /** Whether a rule reads facts of the sealed request. */
  readonly readsRequest: boolean;
}

/** Prepares a trial. The rule at `position` counts as on, whatever its state is. */
export function trialOf(rules: readonly Rule[], position: number, compared: readonly Rule[]): Trial {
  const forced = rules.map((rule, index): Rule => (index === position ? { ...rule, state: 'on' } : rule));
  const tried = forced.filter(({ state }) => state === 'on');
  const before = compared.filter(({ state }) => state === 'on');
  const readsRequest = [...tried, ...before].some((rule) =>
    factsInRequest.some((fact) => conditionOf(rule).reads.has(fact)),
  );
  return { tried, triedRule: forced[position], compared: before, readsRequest };
}

/** Returns what a trial decides about an evaluation; undefined if a rule reads a fact that was not stored. */
export function tryOn(
  { tried, triedRule, compared }: Trial,
  { basis, unknown }: StoredBasis,
  settings: Settings,
): Omit<Replayed, 'id' | 'label'> | undefined {
  const { action } = basis.values;
  const lacksFact = (rule: Rule) => [...unknown].some((fact) => conditionOf(rule).reads.has(fact));
  const lacksCounter = (rule: Rule) => conditionOf(rule).counters.some(({ id }) => !basis.values.counters?.has(id));
  const isUnknown = (rule: Rule) => appliesTo(rule, action) && (lacksFact(rule) || lacksCounter(rule));
  if ([...tried, ...compared].some(isUnknown)) return undefined;
  const after = tryRules(basis, tried, settings);
  const from = tryRules(basis, compared, settings).verdict;
  const result = triedRule && resultOf(after, triedRule);
  const isExample = triedRule && isMark(triedRule.effect) ? result === 'matched' : from !== after.verdict;
  return { from, to: after.verdict, result, isExample };
}

function resultOf({ matches }: TriedVerdict, rule: Rule): Replayed['result'] {
  if (matches.matched.includes(rule)) return 'matched';
  return matches.failed.includes(rule) ? 'failed' : undefined;
}
