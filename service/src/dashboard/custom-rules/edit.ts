import type { Rule } from '../../resources/projects/rules/conditions/rule.js';

export type Direction = 'up' | 'down';

/** Returns the rules with another one at a position; with one more if the position is their number. */
export function withRule(rules: readonly Rule[], position: number, rule: unknown): unknown[] {
  return [...rules.slice(0, position), rule, ...rules.slice(position + 1)];
}

/** Returns the rules without one. */
export function withoutRule(rules: readonly Rule[], position: number): Rule[] {
  return rules.filter((_rule, index) => index !== position);
}

/** Returns the rules with one moved by one place, or unchanged if it is at the end. */
export function withMovedRule(rules: readonly Rule[], position: number, direction: Direction): Rule[] {
  const target = position + (direction === 'up' ? -1 : 1);
  const [rule, other] = [rules[position], rules[target]];
  if (!rule || !other) return [...rules];
  return rules.map((each, index) => (index === position ? other : index === target ? rule : each));
}
