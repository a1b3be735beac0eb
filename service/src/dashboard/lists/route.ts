import { z } from 'zod';
import { ApiError } from '../../ground/errors.js';
import { isDateOrTimestamp } from '../../ground/moment-rules.js';
import { listEffects, listKinds } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { listEffect, listKind } from '../../http/schemas/vocabulary.js';
import { recordAudit } from '../../resources/audit/audit.js';
import { addEntries, endEntry, InvalidListEntries } from '../../resources/lists/change-entries.js';
import { entriesAt, listEntries } from '../../resources/lists/read-entries.js';
import { readListCsv, writeListCsv } from '../../resources/lists/rules/csv.js';
import { currentReaderOf } from '../../resources/service.js';
import { originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn, idIn } from '../request.js';
import { readSubject, subjectPath } from '../subjects/rules.js';
import { actorNames, enteredValue } from './load.js';
import { type ListsEntry, listsPage, listsPath } from './view.js';

const path = '/dashboard/{project}/{mode}/lists';
const pageSize = 50;
const maxShownProblems = 10;

/** Invalid filter values are ignored. */
const filterQuery = z.object({
  kind: listKind().optional().catch(undefined),
  effect: listEffect().optional().catch(undefined),
  value: z.string().trim().min(1).max(300).optional().catch(undefined),
  history: z.literal('on').optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});

async function show(request: DashboardRequest, entry: ListsEntry = {}): Promise<DashboardPage> {
  const { reader, world } = request;
  const { page: asked, ...filter } = filterQuery.parse(Object.fromEntries(request.query));
  const { history, ...by } = filter;
  const now = reader.now();
  const readPage = (page: number) =>
    listEntries(reader, world.projectId, {
      filter: { ...by, ...(history === undefined && { at: now }) },
      limit: pageSize,
      page,
    });
  const found = await readPage(asked);
  // The last entry of the last page may have ended.
  const page = Math.min(asked, Math.max(1, Math.ceil(found.total / pageSize)));
  const { entries, total } = page === asked ? found : await readPage(page);
  const names = await actorNames(reader, entries);
  return listsPage(request, { entries, total, page, pageSize, filter, names, now, entry });
}

async function add(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, fields, world } = request;
  const [note = '', expires = ''] = ['note', 'expires_at'].map((name) => fields.get(name)?.trim() ?? '');
  const [kind, effect] = [choiceIn(fields, 'kind', listKinds), choiceIn(fields, 'effect', listEffects)];
  const value = await enteredValue(request, kind, fields.get('value') ?? '');
  const entered = { kind, effect, value, note, expires };
  if (expires !== '' && !isDateOrTimestamp(expires))
    return show(request, { ...entered, error: 'Enter a date as expiry.' });
  const expiresAt = expires === '' ? undefined : new Date(expires);
  try {
    const entries = [{ kind, effect, value, note, expiresAt }];
    const { entries: held, added } = await addEntries(service, {
      projectId: world.projectId,
      entries,
      origin: originOf(request),
    });
    const name = held[0]?.value ?? value;
    const text = added > 0 ? `The entry for ${name} was added.` : `The lists hold this entry for ${name} already.`;
    return redirectWithNotice(request, backTo(fields), { kind: 'good', text });
  } catch (error) {
    if (!(error instanceof InvalidListEntries)) throw error;
    const words = error.issues.map(
      ({ field, message }) => `The ${field === 'expires_at' ? 'expiry' : field} ${message}.`,
    );
    return show(request, { ...entered, error: words.join(' ').replaceAll('`', '') });
  }
}

/** Returns the page that a form was on: that of an address, for example, or the lists with their filter. */
function backTo(fields: URLSearchParams): string {
  const subject = readSubject(fields.get('back_kind'), fields.get('back_value'));
  if (subject) return subjectPath(subject);
  const { page, ...filter } = filterQuery.parse(Object.fromEntries(new URLSearchParams(fields.get('back_list') ?? '')));
  return listsPath(filter, page);
}

async function importCsv(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, fields, world } = request;
  const csv = fields.get('csv') ?? '';
  const { entries, problems } = readListCsv(csv, service.now());
  if (problems.length > 0 || entries.length === 0) {
    const shown = problems.slice(0, maxShownProblems).join('; ');
    return show(request, { csv, csvError: `Nothing was added. ${shown || 'There are no entries'}.` });
  }
  const { added } = await addEntries(service, { projectId: world.projectId, entries, origin: originOf(request) });
  const text = `${entries.length} entries were read: ${added} added, ${entries.length - added} unchanged.`;
  return redirectWithNotice(request, '/lists', { kind: 'good', text });
}

/** Downloads the entries that are in effect, which is recorded. */
async function exportCsv(request: DashboardRequest): Promise<Response> {
  const { service, world } = request;
  const { projectId } = world;
  await recordAudit(service.db, service, { ...originOf(request), kind: 'list_entries_exported', projectId });
  const reader = await currentReaderOf(service);
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="lists.csv"',
  };
  return new Response(writeListCsv(await entriesAt(reader.db, projectId, reader.now())), { headers });
}

async function end(request: DashboardRequest): Promise<Response> {
  const { service, params, world, fields } = request;
  const id = idIn(params.id);
  const ended = id && (await endEntry(service, { projectId: world.projectId, id, origin: originOf(request) }));
  if (!ended) throw new ApiError('not_found', { detail: 'There is no entry with this ID.' });
  return redirectWithNotice(request, backTo(fields), { kind: 'good', text: `The entry for ${ended.value} has ended.` });
}

/** Pages that show and change a project's lists. */
export const lists: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view', handle: (request) => show(request) }),
  dashboardRoute({ method: 'post', path: `${path}/export`, permission: 'export_lists', handle: exportCsv }),
  // Opened after signing in again.
  dashboardRoute({
    method: 'get',
    path: `${path}/export`,
    permission: 'view',
    handle: (request) => redirectWithNotice(request, '/lists'),
  }),
  dashboardRoute({ method: 'post', path, permission: 'act', handle: add }),
  dashboardRoute({ method: 'post', path: `${path}/import`, permission: 'act', handle: importCsv }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/end`, permission: 'act', handle: end }),
];
