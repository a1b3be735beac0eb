import { html } from 'hono/html';
import type { EffectiveReason, EvaluationRecord, ExcusedReason, Reason } from 'whorl/wire';
import { z } from 'zod';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import { columnOf } from '../../ground/vocabulary.js';
import { type Place, reasonTitle } from '../view/cells.js';
import { type Cell, type Html, table } from '../view/parts.js';
import { excuseWords, spaced } from '../view/words.js';
import { isUncountedRule, matchedRules, uncountedRules } from './rules-view.js';

/** Renders the reasons of an evaluation in words, those first that decided it, and the rules that did not count. */
export function whyPart(place: Place, record: EvaluationRecord): Html {
  const uncounted = uncountedRules(place, record);
  if (record.reasons.length === 0) return html`<p>${nothingText}</p>${uncounted}`;
  const deciding = [...new Set((record.decided_by?.reasons ?? []).map(({ reason }) => reason))];
  const others = record.reasons.filter((reason) => !deciding.includes(reason));
  const line = (reason: Reason) =>
    html`<li><strong>${reasonTitle(reason)}</strong> <span class="quiet">${reasonRules[reason].words.explanation} ${thresholdText(record, reason)}</span>${reason === 'rule' && matchedRules(place, record)}</li>`;
  const more = html`<h3>${deciding.length > 0 ? 'Also found' : 'Found'}</h3><ul class="why">${others.map(line)}</ul>`;
  return html`<p>${record.decided_by && summary(record)}</p>
${deciding.length > 0 && html`<ul class="why">${deciding.map(line)}</ul>`}
${others.length > 0 && more}${uncounted}`;
}

const reachedScore = z.object({ score: z.number(), threshold: z.number() });

/** Returns a sentence that names the score and the threshold, for the reason that compares them. */
function thresholdText({ evidence }: EvaluationRecord, reason: Reason): string | undefined {
  if (reason !== 'high_risk') return undefined;
  const { data } = reachedScore.safeParse(evidence.find((one) => one.reason === reason)?.evidence);
  return data && `Score: ${data.score}%, threshold: ${data.threshold}%.`;
}

/** Renders how the policy weighed each reason of an evaluation. */
export function decisionPart(record: EvaluationRecord): Html {
  const rows = decisionRows(record);
  if (rows.length === 0) return html`<p>${record.reasons.length > 0 ? unknownText : nothingText}</p>`;
  return html`<p>${summary(record)}</p>
<div class="wide">${table(['Reason', 'Effect', 'Policy', 'Why'], rows, 'Why it has this verdict')}</div>`;
}

const nothingText = 'No reason was found against the action.';
const unknownText = 'An older version of the service recorded this evaluation, without what decided it.';

/** Returns a sentence that names what decided the verdict. */
function summary({ verdict, observed_verdict, reasons, decided_by }: EvaluationRecord): string {
  const names = (decided_by?.reasons ?? []).map(titleOf);
  if (names.length > 0) return `Decided by ${listed(names)}.`;
  if (observed_verdict && observed_verdict !== verdict) return 'Allowed, because the project only observes.';
  if (reasons.length === 0) return nothingText;
  const excused = (decided_by?.excused ?? []).filter((one) => !isUncountedRule(one));
  return excused.length > 0
    ? 'Allowed: every reason with an effect was excused.'
    : 'Allowed: the reasons are only reported.';
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function decisionRows({ reasons, decided_by: decided, action, outcome }: EvaluationRecord): (readonly Cell[])[] {
  if (!decided) return [];
  const { reasons: deciding, outweighed, excused } = decided;
  const counted = [...deciding, ...outweighed, ...excused.filter((one) => !isUncountedRule(one))];
  const named = new Set(counted.map(({ reason }) => reason));
  const partOf = (one: EffectiveReason) => excused.find((other) => isSame(one, other));
  const isEffective = (one: ExcusedReason) => [...deciding, ...outweighed].some((other) => isSame(one, other));
  return [
    ...deciding.map((one) => effectiveRow(one, partOf(one), 'It decided the verdict.')),
    ...outweighed.map((one) => effectiveRow(one, partOf(one), 'A stricter reason decided the verdict.')),
    ...excused
      .filter((one) => !isEffective(one))
      .map((one) => [nameOf(one), 'none', policyWords(one, one.effect), excuseText(one)]),
    ...reasons
      .filter((reason) => !named.has(reason))
      .map((reason) =>
        outcome === 'failed'
          ? [nameOf({ reason }), undefined, undefined, 'Only reported, or not stored: a failed attempt stores less.']
          : [nameOf({ reason }), 'none', `${columnOf(action)}: report`, 'The policy only reports it.'],
      ),
  ];
}

/** A reason, and which rule it is about. */
type Named = Pick<EffectiveReason, 'reason' | 'rule'>;

function isSame(one: Named, other: Named): boolean {
  return one.reason === other.reason && one.rule === other.rule;
}

function titleOf({ reason, rule }: Named): string {
  return rule === undefined ? reasonTitle(reason) : `rule “${rule}”`;
}

function effectiveRow(one: EffectiveReason, part: ExcusedReason | undefined, why: string): readonly Cell[] {
  const policy = policyWords(one, part?.effect ?? one.effect);
  return [nameOf(one), spaced(one.effect), policy, part ? `${why} ${excuseText(part)}` : why];
}

function nameOf({ reason, rule }: Named): Html {
  const title = rule === undefined ? reasonTitle(reason) : `Rule “${rule}”`;
  return html`<span title="${reasonRules[reason].words.explanation}">${title}</span>`;
}

function excuseText({ excused_by }: ExcusedReason): string {
  return excused_by.map((excuse) => excuseWords[excuse]).join(' ');
}

/** Returns the cell of the policy in words. A rule decides in place of the policy. */
function policyWords({ rule, policy }: Omit<EffectiveReason, 'effect'>, effect: string): string {
  if (rule !== undefined) return `the rule: ${spaced(effect)}`;
  const { action, condition, overridden } = policy;
  const cell = condition === undefined ? spaced(effect) : `${spaced(condition)}: ${spaced(effect)}`;
  return `${action}: ${cell}${overridden ? " (the project's policy)" : ''}`;
}
