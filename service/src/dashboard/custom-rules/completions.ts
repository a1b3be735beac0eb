import { functions, methods } from '../../resources/projects/rules/conditions/condition.js';
import { counterWindows } from '../../resources/projects/rules/conditions/counters.js';
import { type ConditionFact, conditionFacts } from '../../resources/projects/rules/conditions/facts.js';

const facts = Object.entries<ConditionFact>(conditionFacts);

/** Returns a description without the marks of links and code. */
function plain(description: string): string {
  return description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}

/** What the editor of a condition suggests. The script of the page reads it. */
export const completions = {
  facts: facts.map(([name, { type, description }]) => ({ name, about: plain(description), isText: type === 'string' })),
  functions,
  methods,
  values: Object.fromEntries(facts.flatMap(([name, { values }]) => (values ? [[name, values]] : []))),
  windows: counterWindows,
};
