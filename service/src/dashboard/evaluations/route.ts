import type { EvaluationRecord } from 'whorl/wire';
import { z } from 'zod';
import { feedbackRequest } from '../../api/evaluations/schemas.js';
import { exportEvaluations } from '../../evaluation/search/export.js';
import { exportFormats } from '../../evaluation/search/export-lines.js';
import { searchEvaluations } from '../../evaluation/search/search.js';
import { partSize, readPosition, scannedPart, start } from '../../ground/db/position-rules.js';
import { ApiError, type InputError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { safeParserOf } from '../../http/parse.js';
import { evaluationFilterFields } from '../../http/schemas/evaluation-filters.js';
import { inOrder, withPeriod, wrongOrder } from '../../http/schemas/query.js';
import { labelEvaluation } from '../admin-actions.js';
import { actorOf, originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { download } from '../download.js';
import { choiceIn } from '../request.js';
import { addressToBlock, blockAddress, blockHardware } from './blocks.js';
import type { ShownFilter } from './filter-view.js';
import { type ShownEvaluation, showEvaluation, userIdOf } from './load.js';
import { evaluationPage } from './one-view.js';
import { evaluationsPage } from './view.js';

const path = '/dashboard/{project}/{mode}/evaluations';

const filterQuery = z.object(evaluationFilterFields).refine(inOrder, wrongOrder);
const readFilter = safeParserOf(filterQuery);

/** Returns the filters of a query or form as they were entered. */
function enteredFilter(entered: URLSearchParams): ShownFilter {
  const names = Object.keys(evaluationFilterFields);
  const values = names.map((name) => [name, (entered.get(name) ?? '').trim()] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

async function list(request: DashboardRequest): Promise<DashboardPage> {
  const { service, caller } = request;
  const shown = enteredFilter(request.query);
  const from = readPosition(request.query.get('from'));
  const read = readFilter(shown);
  if (read.errors) return wrongFilter(request, shown, read.errors);
  const found = await searchEvaluations(service, caller, withPeriod(read.value), { from, limit: partSize + 1 });
  return evaluationsPage(request, { part: scannedPart(found), from, shown, errors: [] });
}

function wrongFilter(request: DashboardRequest, shown: ShownFilter, errors: readonly InputError[]): DashboardPage {
  return evaluationsPage(request, { part: { rows: [] }, from: start, shown, errors });
}

/** Redirects to the filtered list. The URL has the service's ID of a user, because the customer's can be an email address. */
async function filter(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, caller, fields } = request;
  const shown = enteredFilter(fields);
  const read = readFilter(shown);
  if (read.errors) return wrongFilter(request, shown, read.errors);
  const { user, ...others } = shown;
  const query = new URLSearchParams(others);
  if (user !== undefined) {
    const id = await userIdOf(service, caller, user);
    if (id === undefined)
      return wrongFilter(request, shown, [{ path: 'user', message: 'must be that of a known user' }]);
    query.set('user_id', id);
  }
  return redirectWithNotice(request, query.size > 0 ? `/evaluations?${query}` : '/evaluations');
}

/** Streams the evaluations that match the filter. */
async function exportFiltered(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, caller, fields } = request;
  const shown = enteredFilter(fields);
  const format = choiceIn(fields, 'format', exportFormats);
  const read = readFilter(shown);
  if (read.errors) return wrongFilter(request, shown, read.errors);
  const query = withPeriod(read.value);
  const parts = await exportEvaluations(service, caller, { query, format, origin: originOf(request) });
  const name = `evaluations-${service.now().toISOString().slice(0, 10)}.${format}`;
  return download({ parts, name, type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' });
}

async function show(request: DashboardRequest, error?: string): Promise<DashboardPage> {
  return evaluationPage(request, await mustShow(request), error);
}

/** @throws {ApiError} `not_found` */
async function mustShow({ service, caller, params }: DashboardRequest): Promise<ShownEvaluation> {
  const shown = await showEvaluation(service, caller, params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no evaluation with this ID.' });
  return shown;
}

async function saveFeedback(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, params, fields } = request;
  const id = params.id ?? '';
  const read = feedbackRequest.safeParse({ label: fields.get('label'), note: fields.get('note')?.trim() || undefined });
  if (!read.success) return show(request, 'Choose a label. The note can have at most 2,000 characters.');
  const { label, note } = read.data;
  await labelEvaluation(service, actorOf(request), id, { label, ...(note !== undefined && { note }) });
  return redirectWithNotice(request, `/evaluations/${id}`, { kind: 'good', text: 'The outcome was saved.' });
}

async function addAddressBlock(request: DashboardRequest): Promise<Response> {
  const { service } = request;
  const { record, network } = await mustShow(request);
  const address = addressToBlock(record, network);
  if (address === undefined) return notBlocked(request, record, 'This evaluation has no IP address.');
  const isNew = await blockAddress(service, actorOf(request), address);
  const text = isNew
    ? `${address} is blocked. The page Lists has all blocked addresses.`
    : `${address} is blocked already.`;
  return redirectWithNotice(request, `/evaluations/${record.evaluation_id}`, { kind: 'good', text });
}

function notBlocked(request: DashboardRequest, { evaluation_id }: EvaluationRecord, text: string): Promise<Response> {
  return redirectWithNotice(request, `/evaluations/${evaluation_id}`, { kind: 'bad', text });
}

async function addHardwareBlock(request: DashboardRequest): Promise<Response> {
  const { record, hardware } = await mustShow(request);
  const { hardware_id: id } = hardware;
  if (id === undefined) return notBlocked(request, record, 'The hardware of this evaluation is not known.');
  const count = await blockHardware(request.service, actorOf(request), id);
  const text = count === 1 ? '1 device was blocked.' : `${count} devices were blocked.`;
  return redirectWithNotice(request, `/evaluations/${record.evaluation_id}`, { kind: 'good', text });
}

export const evaluations: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view', handle: list }),
  dashboardRoute({ method: 'post', path: `${path}/filter`, permission: 'view', handle: filter }),
  dashboardRoute({
    method: 'post',
    path: `${path}/export`,
    permission: 'export_evaluations',
    handle: exportFiltered,
  }),
  // Opened after signing in again.
  ...['filter', 'export'].map((form) =>
    dashboardRoute({
      method: 'get',
      path: `${path}/${form}`,
      permission: 'view',
      handle: (request) => redirectWithNotice(request, '/evaluations'),
    }),
  ),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: (request) => show(request) }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/feedback`, permission: 'act', handle: saveFeedback }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/block-address`, permission: 'act', handle: addAddressBlock }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/block-hardware`, permission: 'act', handle: addHardwareBlock }),
];
