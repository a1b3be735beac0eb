import { html } from 'hono/html';
import type { EvaluationRecord } from 'whorl/wire';
import type { ReviewOrder } from '../../evaluation/reviews/queries.js';
import { obstacleOf, type ReviewObstacle, takenMinutes } from '../../evaluation/reviews/reviews.js';
import type { ReviewCause, ReviewDecision } from '../../ground/vocabulary.js';
import { shortcutScript } from '../assets.js';
import { decisionPart } from '../evaluations/decision-view.js';
import { reasonPart } from '../evaluations/one-view.js';
import { selectableTable } from '../many/select-view.js';
import { addressCell, addressSummary } from '../view/address.js';
import { addressLink, deviceLink, evaluationLink, type Place, reasonList, userLink, verdicts } from '../view/cells.js';
import { tabs } from '../view/forms.js';
import type { DashboardPage } from '../view/layout.js';
import {
  type Cell,
  definitionList,
  emptyState,
  field,
  type Html,
  hidden,
  section,
  time,
  wholeNumber,
} from '../view/parts.js';
import { actionWords, percent, verdictWords } from '../view/words.js';
import { maxCounted, type Queue, type ShownReview } from './load.js';
import type { ReviewFigures, WaitingRow } from './queries.js';

const causeWords: Readonly<Record<ReviewCause, string>> = {
  mark: 'marked for review',
  verdict: 'restricted or denied',
  score: 'high risk score',
};

/** What was done with an evaluation. */
export const decisionWords: Readonly<Record<ReviewDecision, string>> = {
  fraud: 'labelled as fraud',
  legitimate: 'labelled as legitimate',
  set_aside: 'set aside',
};

/** Returns why somebody cannot take or decide a review. */
export function obstacleText(obstacle: ReviewObstacle, names: ReadonlyMap<string, string> = new Map()): string {
  const name = names.get(obstacle.by) ?? obstacle.by;
  if (obstacle.kind === 'taken') return `Nothing was saved, because ${name} is working on this evaluation.`;
  return `Nothing was saved. ${name} decided this already: it was ${decisionWords[obstacle.decision]}.`;
}

/** Renders the evaluations that wait for a review, and figures about decisions. */
export function queuePage(
  place: Place,
  queue: Queue,
  { order, isFirst }: { readonly order: ReviewOrder; readonly isFirst: boolean },
): DashboardPage {
  const path = `${place.base}/review`;
  const orders = tabs('Order', [
    { text: 'Oldest first', href: path, isCurrent: order === 'oldest' },
    { text: 'Highest score first', href: `${path}?order=score`, isCurrent: order === 'score' },
  ]);
  const list =
    queue.rows.length > 0
      ? [waitingTable(place, queue, order), pager(path, queue, order, isFirst)]
      : [emptyState(isFirst ? nothingText : 'Nothing else waits.')];
  const next = place.can('act') && queue.rows.length > 0 && nextForm(place, order);
  return {
    title: 'Review',
    section: 'review',
    body: html`<p class="quiet">Evaluations wait here until somebody labels them or sets them aside: those that were restricted or denied, that a rule or a list marked for review, or whose risk score reaches the setting <code>review_score</code>. <a href="${place.base}/review/labels">Precision and recall</a> show what labels say about reasons and rules.</p>
${figures(queue.figures)}
${section('Waiting', [orders, next || undefined, ...list])}`,
    scripts: [shortcutScript.url],
  };
}

const nothingText = 'Nothing waits for a review.';

function figures({ waiting, decided, labelled, agreed, median_seconds: median }: ReviewFigures): Html {
  const agreement =
    labelled === 0
      ? 'no labels'
      : `${percent(agreed / labelled)} of ${wholeNumber(labelled)} ${labelled === 1 ? 'label' : 'labels'}`;
  return html`<dl class="tiles">
<div><dt>Waiting</dt><dd>${counted(waiting)}</dd></div>
<div><dt>Decided here in 30 days</dt><dd>${counted(decided)}</dd></div>
<div><dt>Median time to decision</dt><dd>${median === null ? '–' : durationWords(median)}</dd></div>
<div title="Fraud that was restricted or denied, and legitimate actions that were not"><dt>Agreement with the verdict</dt><dd>${agreement}</dd></div>
</dl>`;
}

function counted(count: number): string {
  return count > maxCounted ? `over ${wholeNumber(maxCounted)}` : wholeNumber(count);
}

/** Returns a duration in its largest unit. */
function durationWords(seconds: number): string {
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 's'];
  const count = Math.floor(seconds / size);
  return `${count} ${unit === 'day' && count !== 1 ? 'days' : unit}`;
}

const units = [
  [86_400, 'day'],
  [3600, 'h'],
  [60, 'min'],
] as const;

function waitingTable(place: Place, { rows, names, now }: Queue, order: ReviewOrder): Html {
  const columns = [
    'Waiting since',
    'Action',
    'User',
    'Verdict',
    'Why it waits',
    { title: 'Score', number: true } as const,
  ];
  const lines = rows.map((row): Cell[] => [
    time(row.created_at),
    html`<a href="${place.base}/review/${row.evaluation_id}?order=${order}">${actionWords(row.action, row.outcome)}</a>`,
    userLink(place, row.user_id, row.external_user),
    verdicts(row.verdict),
    html`<span>${causeWords[row.cause]}${row.reasons.length > 0 && html`: ${reasonList(row.reasons)}`}</span>`,
    row.score > 0 ? scoreText(row.score) : undefined,
    addressCell(row.ip, row.address, place),
    holderOf(row, names, now),
  ]);
  const ids = rows.map((row) => row.evaluation_id);
  const caption = 'Evaluations that wait for a review';
  const all = [...columns, 'IP address', 'Taken by'];
  return selectableTable(place, { source: 'evaluations', ids, columns: all, rows: lines, caption });
}

function scoreText(score: number): string {
  return `${score.toPrecision(2)}%`;
}

function holderOf(
  { taken_by: by, taken_until: until }: WaitingRow,
  names: ReadonlyMap<string, string>,
  now: Date,
): Cell {
  return by !== null && until !== null && until > now ? (names.get(by) ?? by) : undefined;
}

function pager(path: string, { next }: Queue, order: ReviewOrder, isFirst: boolean): Html | undefined {
  if (!next && isFirst) return undefined;
  const query = new URLSearchParams({ order, ...(next && { after: `${next.score}_${next.evaluation_id}` }) });
  return html`<nav class="pager" aria-label="Pagination">
${isFirst ? html`<span class="quiet">Start</span>` : html`<a href="${path}?order=${order}">Start</a>`}
${next ? html`<a href="${path}?${query}" rel="next">Next page</a>` : html`<span class="quiet">End of list</span>`}
</nav>`;
}

function nextForm(place: Place, order: ReviewOrder): Html {
  return html`<div class="plain row"><form method="post" action="${place.base}/review">${hiddenFields(place, order)}
<button type="submit" data-key="n" aria-keyshortcuts="n">Take the next one <kbd>N</kbd></button></form>${shortcutSwitch}</div>`;
}

function hiddenFields({ formToken }: Place, order: ReviewOrder): Html {
  return html`${hidden('csrf', formToken)}${hidden('order', order)}`;
}

/** How the review is shown. */
export interface ReviewView {
  readonly order: ReviewOrder;
  /** Who looks at it, as an actor. */
  readonly by: string;
  /** What is wrong with the note that was entered. */
  readonly error?: string | undefined;
  readonly note?: string | undefined;
}

/** Renders a review: who, where and why on one screen, and what can be done. */
export function reviewPage(place: Place, all: ShownReview, view: ReviewView): DashboardPage {
  const { shown } = all;
  const { record } = shown;
  return {
    title: `Review: ${actionWords(record.action, record.outcome)}`,
    section: 'review',
    body: html`<div class="grid">
${section('Evaluation', definitionList(facts(place, all)))}
${section('Decision', html`<div class="stack">${decisionOf(place, all, view)}</div>`)}
</div>
${section('Why this verdict', decisionPart(record))}
${section('Evidence', record.evidence.length > 0 ? record.evidence.map(reasonPart) : emptyState('No reasons.'))}`,
    scripts: [shortcutScript.url],
  };
}

function facts(
  place: Place,
  { review, shown: { record, userId, userAgent } }: ShownReview,
): (readonly [string, Cell])[] {
  const { verdict, device_id, evaluation_id, createdAt } = record;
  return [
    ['Verdict', html`<span>${verdicts(verdict)} ${verdictWords[verdict]}</span>`],
    ['Waits because', causeWords[review.cause]],
    ['Risk score', review.score > 0 ? scoreText(review.score) : undefined],
    ['User', userLink(place, userId, record.user)],
    ['Contact', contactOf(record)],
    ['Device', device_id && deviceLink(place, device_id, userAgent ?? 'Show device')],
    ['IP address', html`<span>${addressLink(place, record.ip)} ${addressSummary(record.address, place)}</span>`],
    ['Time', time(createdAt)],
    ['All details', evaluationLink(place, evaluation_id, 'Show evaluation')],
  ];
}

function contactOf({ email, phone }: EvaluationRecord): string | undefined {
  return [email, phone].filter(Boolean).join(', ') || undefined;
}

function decisionOf(place: Place, { review, names, now }: ShownReview, view: ReviewView): Html {
  const { order, by } = view;
  const { decided_by: decider, decided_at: decidedAt, decision, taken_by: holder, taken_until: until } = review;
  const nameOf = (actor: string) => names.get(actor) ?? actor;
  const next = place.can('act') && nextForm(place, order);
  if (decision !== null && decider !== null && decidedAt !== null) {
    return html`<p>It was ${decisionWords[decision]} by ${nameOf(decider)}, ${time(decidedAt)}. The page of the evaluation can change its label.</p>${next}`;
  }
  if (!place.can('act')) return html`<p>It waits for an analyst.</p>`;
  if (obstacleOf(review, by, now) && holder !== null && until !== null) {
    return html`<p>${nameOf(holder)} is working on it, until ${time(until)} at most.</p>${next}`;
  }
  const isMine = holder === by && until !== null && until > now;
  return html`${isMine ? html`<p>It is yours until ${time(until)}.</p>` : takeForm(place, review.evaluation_id, order)}
${decideForm(place, review.evaluation_id, view)}${next}`;
}

function takeForm(place: Place, id: string, order: ReviewOrder): Html {
  return html`<form method="post" action="${place.base}/review/${id}/take">${hiddenFields(place, order)}
<p>Take it, so that nobody else decides it for ${takenMinutes} minutes. <button type="submit" data-key="t" aria-keyshortcuts="t">Take <kbd>T</kbd></button></p></form>`;
}

function decideForm(place: Place, id: string, { order, error, note }: ReviewView): Html {
  const noteField = field({
    type: 'lines',
    name: 'note',
    label: 'Note',
    rows: 2,
    value: note,
    error,
    hint: 'Optional, with a label. At most 2,000 characters.',
  });
  const button = (decision: ReviewDecision, words: string, key: string, kind: string) =>
    html`<button type="submit" name="decision" value="${decision}" class="${kind}" data-key="${key}" aria-keyshortcuts="${key}">${words} <kbd>${key.toUpperCase()}</kbd></button>`;
  return html`<form method="post" action="${place.base}/review/${id}/decide" class="stack">${hiddenFields(place, order)}
${noteField}
<div class="row">${button('fraud', 'Fraud', 'f', 'danger')}${button('legitimate', 'Legitimate', 'l', 'primary')}${button('set_aside', 'Set aside', 's', '')}</div>
</form>`;
}

/** Shown by the script. */
const shortcutSwitch = html`<div class="field switch" hidden><label><input type="checkbox" data-shortcuts/> Keys work as shortcuts</label></div>`;
