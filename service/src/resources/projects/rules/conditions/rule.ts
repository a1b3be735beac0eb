import { z } from 'zod';
import { ruleEffects } from '../../../../ground/vocabulary.js';
import { type Condition, compileCondition, maxConditionLength } from './condition.js';
import { maxCounters, type NamedCounter } from './counters.js';
import { tagForm, tagPattern } from './tag.js';

/** Maximum number of rules of a project. */
export const maxRules = 100;

export const ruleStates = ['on', 'shadow', 'off'] as const;

const text = (max: number, schema = z.string()) =>
  schema.min(1, 'must not be empty').max(max, `must have at most ${max.toLocaleString('en')} characters`);

/** A rule of a project, as its settings contain it. */
export const ruleSchema = z.object({
  name: text(100, z.string().trim()),
  when: text(maxConditionLength),
  effect: z.enum(ruleEffects),
  /** What the effect `tag` puts on an evaluation. */
  tag: z.string().regex(tagPattern, `must be ${tagForm}`).optional(),
  /** Actions to which the rule applies. None: all. */
  actions: z
    .array(z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be the name of an action'))
    .max(20, 'must be at most 20 names')
    .default([]),
  state: z.enum(ruleStates).default('on'),
});

export type Rule = z.output<typeof ruleSchema>;

/** Problem with a rule. `path`: its position and field. */
export interface RuleIssue {
  readonly path: readonly [index: number, field: 'name' | 'when' | 'tag'];
  readonly message: string;
}

/** Returns what the schema does not check: conditions, and names that are used twice. */
export function checkRules(rules: readonly Rule[]): RuleIssue[] {
  const counters = new Set<string>();
  return rules.flatMap(({ name, when, effect, tag }, index): RuleIssue[] => {
    const isRepeated = rules.findIndex((other) => other.name === name) < index;
    const compiled = compileCondition(when);
    if ('condition' in compiled) for (const { id } of compiled.condition.counters) counters.add(id);
    const hasTooMany = 'condition' in compiled && compiled.condition.counters.length > 0 && counters.size > maxCounters;
    return [
      ...(isRepeated ? [{ path: [index, 'name'] as const, message: 'is the name of another rule' }] : []),
      ...((effect === 'tag') === (tag !== undefined)
        ? []
        : [{ path: [index, 'tag'] as const, message: tagMessage(tag) }]),
      ...(hasTooMany ? [{ path: [index, 'when'] as const, message: tooManyCounters }] : []),
      ...('issue' in compiled ? [{ path: [index, 'when'] as const, message: inWords(compiled.issue) }] : []),
    ];
  });
}

const tooManyCounters = `names a counter too many: the rules of a project name at most ${maxCounters} together`;

function tagMessage(tag: string | undefined): string {
  return tag === undefined ? `must be set for the effect \`tag\`: ${tagForm}` : 'is only for the effect `tag`';
}

function inWords({ message, position }: { message: string; position?: number }): string {
  return position === undefined ? message : `${message} (at character ${position})`;
}

/** A condition that is stored but not valid in this version never matches. */
const neverValid: Condition = { evaluate: () => 'failed', reads: new Set(), counters: [] };

/** Compiled conditions by text. Each project has at most 100. */
const compiledByText = new Map<string, Condition>();
const maxCompiled = 10_000;

/** Returns the condition of a rule, compiled once. */
export function conditionOf({ when }: Rule): Condition {
  const known = compiledByText.get(when);
  if (known) return known;
  if (compiledByText.size >= maxCompiled) compiledByText.clear();
  const compiled = compileCondition(when);
  const condition = 'issue' in compiled ? neverValid : compiled.condition;
  compiledByText.set(when, condition);
  return condition;
}

/** Returns the counters that an evaluation is counted by. Rules that are off, or do not apply to the action, name none. */
export function countersOf(rules: readonly Rule[], action: string): readonly NamedCounter[] {
  return allCountersOf(rules.filter((rule) => rule.state !== 'off' && appliesTo(rule, action)));
}

/** Returns the counters that rules name, each once. */
export function allCountersOf(rules: readonly Rule[]): readonly NamedCounter[] {
  const byId = new Map(rules.flatMap((rule) => conditionOf(rule).counters.map((counter) => [counter.id, counter])));
  return [...byId.values()];
}

/** Returns whether a rule applies to an action. */
export function appliesTo({ actions }: Rule, action: string): boolean {
  return actions.length === 0 || actions.includes(action);
}
