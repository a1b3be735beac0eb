import { html } from 'hono/html';
import type { EvaluationRecord, ExcusedReason } from 'whorl/wire';
import { z } from 'zod';
import { evaluationsPath, type Place } from '../view/cells.js';
import { badge, type Html } from '../view/parts.js';

const matchedEvidence = z.object({ rules: z.array(z.object({ name: z.string(), effect: z.string() })) });

/** Renders the rules that matched an evaluation and counted: one line for each. */
export function matchedRules(place: Place, { evidence }: EvaluationRecord): Html {
  const rules = evidence.flatMap((one) => {
    const read = one.reason === 'rule' ? matchedEvidence.safeParse(one.evidence) : undefined;
    return read?.success ? read.data.rules : [];
  });
  return html`${rules.map(({ name, effect }) => html`<br/>${ruleName(place, name)} ${badge(effect)}`)}`;
}

/** Returns whether an entry is about a rule that did not count: in shadow, or because its condition failed. */
export function isUncountedRule({ rule, excused_by }: ExcusedReason): boolean {
  return rule !== undefined && (excused_by.includes('shadow') || excused_by.includes('rule_failed'));
}

/** Renders the rules that did not count. Undefined if there are none. */
export function uncountedRules(place: Place, { decided_by: decided }: EvaluationRecord): Html | undefined {
  const rules = (decided?.excused ?? []).filter(isUncountedRule);
  if (rules.length === 0) return undefined;
  const line = ({ rule = '', effect, excused_by }: ExcusedReason) =>
    excused_by.includes('shadow')
      ? html`<li>${ruleName(place, rule)} matched, in shadow: it did not count. <span class="quiet">Its effect:</span> ${badge(effect)}</li>`
      : html`<li>${ruleName(place, rule)} did not count: its condition could not be evaluated.</li>`;
  return html`<h3>Rules that did not count</h3><ul class="why">${rules.map(line)}</ul>`;
}

/** Renders the name of a rule, with a link to the evaluations that it matched. */
function ruleName(place: Place, name: string): Html {
  return html`<strong>Rule “<a href="${evaluationsPath(place, { rule: name })}">${name}</a>”</strong>`;
}
