import { html } from 'hono/html';
import { listEffects } from '../../ground/vocabulary.js';
import type { Place } from '../view/cells.js';
import type { DashboardPage } from '../view/layout.js';
import {
  definitionList,
  emptyState,
  field,
  form,
  type Html,
  hidden,
  section,
  time,
  wholeNumber,
} from '../view/parts.js';
import { listEffectWords } from '../view/words.js';
import type { ShownBulkAction } from './load.js';
import type { Selection } from './perform.js';
import {
  bulkActions,
  maxRunMinutes,
  type Progress,
  progressOf,
  type Source,
  type Target,
  undoMinutes,
} from './rules.js';
import { bulkActionWords } from './select-view.js';
import type { Affected } from './targets.js';
import { undoObstacle } from './undo.js';

/** What each action does, and what undoing it leaves. */
const effectWords: Readonly<Record<Selection['action'], string>> = {
  suspend: 'Every evaluation of these users is denied. Applications that listen to events end their sessions.',
  activate: 'These users can sign in again.',
  block:
    'Every evaluation of the user from the device is denied, and the device is signed out and loses its trust. Undoing lifts the block, but does not bring trust back.',
  unblock: 'The devices count as attached again, without the trust that they had.',
  trust: 'These devices are never challenged at login.',
  list_user: 'Users that the lists already hold stay as they are.',
  list_device: 'Devices that the lists already hold stay as they are.',
  list_address: 'Addresses that the lists already hold stay as they are. An IPv6 address stands for its /64.',
  label_fraud: labelWords('legitimate'),
  label_legitimate: labelWords('fraud'),
  end_sessions:
    'All devices of these users, except blocked ones, are signed out and lose their trust. Your application receives the event device.detached for each of them, and has to end its own sessions.',
};

function labelWords(other: string): string {
  return `Evaluations that are labelled as ${other} get the new label, and keep their note. Those that wait for a review wait no longer.`;
}

const nouns: Readonly<Record<Target, readonly [one: string, many: string]>> = {
  user: ['user', 'users'],
  device: ['device', 'devices'],
  evaluation: ['evaluation', 'evaluations'],
  list: ['entry', 'entries'],
};

const maxNamed = 10;

function countWords(count: number, target: Target): string {
  return `${wholeNumber(count)} ${nouns[target][count === 1 ? 0 : 1]}`;
}

interface Preview {
  readonly affected: readonly Affected[];
  /** ID for the action. A form that is sent twice has the same, and acts once. */
  readonly id: string;
  readonly error: string | undefined;
}

/** Renders who is affected by an action on selected rows, and a form to confirm it. */
export function previewPage(
  place: Place,
  { action, source, ids }: Selection,
  { affected, id, error }: Preview,
): DashboardPage {
  const { target, isFinal = false } = bulkActions[action];
  const selected = [hidden('action', action), hidden('source', source), ...ids.map((one) => hidden('id', one))];
  const content = html`${selected}${hidden('confirmed', id)}${target === 'list' && entryFields(error)}`;
  const submit = `${bulkActionWords[action]} (${affected.length})`;
  const danger = action === 'suspend' || action === 'block' || isFinal;
  const body =
    affected.length === 0
      ? [emptyState('None of the selected rows has what this action needs. Nothing was changed.')]
      : [
          html`<p><strong>${countWords(affected.length, target)}</strong>: ${namesOf(affected)}.</p>
<p>${effectWords[action]} ${isFinal ? 'You cannot undo this.' : `You can undo this for ${undoMinutes} minutes.`}</p>`,
          form(place, { action: `${place.base}/actions`, submit, content, danger }),
        ];
  return {
    title: bulkActionWords[action],
    section: source,
    body: section('Preview', [...body, backLink(place, source)]),
    ...(error !== undefined && { status: 422 }),
  };
}

function entryFields(error: string | undefined): Html {
  const options = listEffects.map((value) => ({ value, label: listEffectWords[value] }));
  return html`${field({ type: 'choice', name: 'effect', label: 'Effect', value: 'review', options })}
${field({ name: 'note', label: 'Note (optional)', maxLength: 500, error })}`;
}

function namesOf(affected: readonly Affected[]): string {
  const names = affected.slice(0, maxNamed).map(({ name }) => name);
  const others = affected.length - names.length;
  return others > 0 ? `${names.join(', ')} and ${wholeNumber(others)} more` : names.join(', ');
}

function backLink(place: Place, source: Source): Html {
  return html`<p><a href="${place.base}/${source}">Back to the list</a></p>`;
}

const backOf: Readonly<Record<Target, Source>> = {
  user: 'users',
  device: 'devices',
  evaluation: 'evaluations',
  list: 'evaluations',
};

function progressWords(progress: Progress, isFinal: boolean): Html | undefined {
  if (progress === 'ended') return undefined;
  if (progress === 'running') {
    return html`<p>It is still running. Reload the page to see the result${isFinal ? '' : ', and to undo it'}.</p>`;
  }
  return html`<p>It has not finished after ${maxRunMinutes} minutes, and was probably interrupted.${!isFinal && ' Undo reverses what it has changed, and ends it.'}</p>`;
}

/** Renders what an action on many rows has changed, and a form to undo it. */
export function donePage(place: Place, { row, names, now }: ShownBulkAction): DashboardPage {
  const { target, isFinal = false } = bulkActions[row.action];
  const progress = progressOf(row, now);
  const by = (actor: string) => names.get(actor) ?? actor;
  const undone =
    row.undone_by !== null && row.undone_at !== null && html`${time(row.undone_at)} by ${by(row.undone_by)}`;
  const mayUndo = place.can('act') && row.items.length > 0 && undoObstacle(row, now) === undefined;
  const undo = { action: `${place.base}/actions/${row.id}/undo`, submit: 'Undo' };
  return {
    title: bulkActionWords[row.action],
    section: backOf[target],
    body: section('Result', [
      definitionList([
        [progress === 'running' ? 'Changed so far' : 'Changed', countWords(row.items.length, target)],
        ...(row.failed > 0 ? [['Could not be changed: deleted or busy', row.failed] as const] : []),
        [progress === 'ended' ? 'Done' : 'Started', html`${time(row.created_at)} by ${by(row.created_by)}`],
        ...(undone ? [['Undone', undone] as const] : []),
        ...(row.kept > 0 ? [['Left as they are: changed since', countWords(row.kept, target)] as const] : []),
      ]),
      progressWords(progress, isFinal),
      mayUndo
        ? html`${form(place, undo)}<p class="quiet">Until ${undoMinutes} minutes after the action.</p>`
        : isFinal
          ? html`<p class="quiet">This cannot be undone.</p>`
          : undefined,
      backLink(place, backOf[target]),
    ]),
  };
}
