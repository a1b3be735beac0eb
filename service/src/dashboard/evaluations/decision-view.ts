import { html } from 'hono/html';
import type { EffectiveReason, EvaluationRecord, ExcusedReason, PolicyCell, Reason } from 'whorl/wire';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import { columnOf } from '../../ground/vocabulary.js';
import { reasonTitle } from '../view/cells.js';
import { type Cell, type Html, table } from '../view/parts.js';
import { excuseWords, spaced } from '../view/words.js';

/** Renders the reasons of an evaluation in words, those first that decided it. */
export function whyPart(record: EvaluationRecord): Html {
  if (record.reasons.length === 0) return html`<p>${nothingPart}</p>`;
  const deciding = (record.decided_by?.reasons ?? []).map(({ reason }) => reason);
  const others = record.reasons.filter((reason) => !deciding.includes(reason));
  const line = (reason: Reason) =>
    html`<li><strong>${reasonTitle(reason)}</strong> <span class="quiet">${reasonRules[reason].words.explanation}</span></li>`;
  const more = html`<h3>${deciding.length > 0 ? 'Also found' : 'Found'}</h3><ul class="why">${others.map(line)}</ul>`;
  return html`<p>${record.decided_by && summary(record)}</p>
${deciding.length > 0 && html`<ul class="why">${deciding.map(line)}</ul>`}
${others.length > 0 && more}`;
}

/** Renders how the policy weighed each reason of an evaluation. */
export function decisionPart(record: EvaluationRecord): Html {
  const rows = decisionRows(record);
  if (rows.length === 0) return html`<p>${record.reasons.length > 0 ? unknownPart : nothingPart}</p>`;
  return html`<p>${summary(record)}</p>
<div class="wide">${table(['Reason', 'Effect', 'Policy', 'Why'], rows, 'Why it has this verdict')}</div>`;
}

const nothingPart = 'No reason was found against the action.';
const unknownPart = 'An older version of the service recorded this evaluation, without what decided it.';

/** Returns a sentence that names what decided the verdict. */
function summary({ verdict, observed_verdict, decided_by }: EvaluationRecord): string {
  const names = (decided_by?.reasons ?? []).map(({ reason }) => reasonTitle(reason));
  if (names.length > 0) return `Decided by ${listed(names)}.`;
  if (observed_verdict && observed_verdict !== verdict) return 'Allowed, because the project only observes.';
  const excused = decided_by?.excused.length ?? 0;
  return excused > 0 ? 'Allowed: every reason with an effect was excused.' : 'Allowed: the reasons are only reported.';
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function decisionRows({ reasons, decided_by: decided, action, outcome }: EvaluationRecord): (readonly Cell[])[] {
  if (!decided) return [];
  const { reasons: deciding, outweighed, excused } = decided;
  const named = new Set([...deciding, ...outweighed, ...excused].map(({ reason }) => reason));
  const partOf = (one: EffectiveReason) => excused.find(({ reason }) => reason === one.reason);
  const isEffective = (one: ExcusedReason) => [...deciding, ...outweighed].some(({ reason }) => reason === one.reason);
  return [
    ...deciding.map((one) => effectiveRow(one, partOf(one), 'It decided the verdict.')),
    ...outweighed.map((one) => effectiveRow(one, partOf(one), 'A stricter reason decided the verdict.')),
    ...excused
      .filter((one) => !isEffective(one))
      .map((one) => [nameOf(one.reason), 'none', policyWords(one.policy, one.effect), excuseText(one)]),
    ...reasons
      .filter((reason) => !named.has(reason))
      .map((reason) =>
        outcome === 'failed'
          ? [nameOf(reason), undefined, undefined, 'Only reported, or not stored: a failed attempt stores less.']
          : [nameOf(reason), 'none', `${columnOf(action)}: report`, 'The policy only reports it.'],
      ),
  ];
}

function effectiveRow(one: EffectiveReason, part: ExcusedReason | undefined, why: string): readonly Cell[] {
  const policy = policyWords(one.policy, part?.effect ?? one.effect);
  return [nameOf(one.reason), spaced(one.effect), policy, part ? `${why} ${excuseText(part)}` : why];
}

function nameOf(reason: EffectiveReason['reason']): Html {
  return html`<span title="${reasonRules[reason].words.explanation}">${reasonTitle(reason)}</span>`;
}

function excuseText({ excused_by }: ExcusedReason): string {
  return excused_by.map((excuse) => excuseWords[excuse]).join(' ');
}

function policyWords({ action, condition, overridden }: PolicyCell, effect: string): string {
  const cell = condition === undefined ? spaced(effect) : `${condition}: ${spaced(effect)}`;
  return `${action}: ${cell}${overridden ? " (the project's policy)" : ''}`;
}
