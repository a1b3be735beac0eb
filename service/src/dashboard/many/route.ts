import { ApiError } from '../../ground/errors.js';
import { minuteMs } from '../../ground/time.js';
import { bulkActionNames, listEffects } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { InvalidListEntries } from '../../resources/lists/change-entries.js';
import { actorOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn, idIn } from '../request.js';
import { loadBulkAction } from './load.js';
import { performOnMany, preview, type Selection } from './perform.js';
import { bulkActions, maxRunMinutes, sources } from './rules.js';
import { noAction, type UndoObstacle, undoMany } from './undo.js';
import { donePage, previewPage } from './view.js';

const path = '/dashboard/{project}/{mode}/actions';

/** Shows who is affected, or, once that is confirmed, acts. */
async function act(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { fields } = request;
  const source = choiceIn(fields, 'source', sources);
  const offered = bulkActionNames.filter((name) => bulkActions[name].sources.includes(source));
  const selection: Selection = {
    action: choiceIn(fields, 'action', offered),
    source,
    ids: fields.getAll(fields.has('all') ? 'shown' : 'id'),
  };
  if (selection.ids.length === 0) {
    return redirectWithNotice(request, `/${source}`, { kind: 'bad', text: 'Select at least one row first.' });
  }
  if (!fields.has('confirmed')) {
    return showPreview(request, selection);
  }
  return perform(request, selection);
}

async function showPreview(request: DashboardRequest, selection: Selection, error?: string): Promise<DashboardPage> {
  const { service } = request;
  const affected = await preview(service, actorOf(request), selection);
  return previewPage(request, selection, { affected, id: service.newId(), error });
}

async function perform(request: DashboardRequest, selection: Selection): Promise<DashboardPage | Response> {
  const { service, fields } = request;
  const id = idIn(fields.get('confirmed'));
  if (id === undefined) throw new ApiError('invalid_request', { detail: 'Go back, and preview the action again.' });
  const isList = bulkActions[selection.action].target === 'list';
  const effect = isList ? choiceIn(fields, 'effect', listEffects) : 'review';
  try {
    const entry = { effect, note: fields.get('note') ?? '' };
    await performOnMany(service, actorOf(request), id, { selection, entry });
    return redirectWithNotice(request, `/actions/${id}`);
  } catch (error) {
    if (!(error instanceof InvalidListEntries)) throw error;
    return showPreview(request, selection, error.message);
  }
}

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const shown = await loadBulkAction(request.service, request.caller, request.params.id ?? '');
  if (!shown) throw noAction();
  return donePage(request, shown);
}

async function undo(request: DashboardRequest): Promise<Response> {
  const id = request.params.id ?? '';
  const result = await undoMany(request.service, actorOf(request), id);
  const notice = result.obstacle
    ? ({ kind: 'bad', text: obstacleWords[result.obstacle] } as const)
    : ({ kind: 'good', text: undoneWords(result.kept) } as const);
  return redirectWithNotice(request, `/actions/${id}`, notice);
}

function undoneWords(kept: number): string {
  if (kept === 0) return 'It was undone.';
  return `It was undone, except for ${kept === 1 ? 'one that was' : `${kept} that were`} changed since.`;
}

const obstacleWords: Readonly<Record<UndoObstacle, string>> = {
  impossible: 'This action cannot be undone. Nothing was changed.',
  undone: 'It was undone before.',
  running: 'It is still running, and can be undone when it has finished. Nothing was changed.',
  busy: 'Some users are busy, and their rows were not undone. Try again.',
  too_late: 'More than 10 minutes have passed. Nothing was changed.',
};

const timeoutMs = maxRunMinutes * minuteMs;

/** Actions on many rows of a list. */
export const actions: readonly PageRoute[] = [
  dashboardRoute({ method: 'post', path, permission: 'act', timeoutMs, handle: act }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: show }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/undo`, permission: 'act', timeoutMs, handle: undo }),
];
