import type { EvaluationRecord } from 'whorl/wire';
import { z } from 'zod';
import { feedbackRequest } from '../../api/evaluations/request-schemas.js';
import { exportEvaluations } from '../../evaluation/search/export.js';
import { evaluationFilters } from '../../evaluation/search/rules/filters.js';
import { searchEvaluations } from '../../evaluation/search/search.js';
import { partSize, positionOfCreation, scannedPart } from '../../ground/db/position-rules.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { evaluationFilterFields } from '../../http/schemas/evaluation-filters.js';
import { inOrder, withPeriod, wrongOrder } from '../../http/schemas/query.js';
import { labelEvaluation } from '../admin-actions.js';
import { actorOf, originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { filteredListRoutes } from '../filters/filtered-list-route.js';
import { addressToBlock, blockAddress, blockHardware } from './blocks.js';
import { type ShownEvaluation, showEvaluation } from './load.js';
import { evaluationPage } from './one-view.js';
import { evaluationsPage } from './view.js';

const path = '/dashboard/{project}/{mode}/evaluations';

const list = filteredListRoutes({
  name: 'evaluations',
  table: evaluationFilters,
  schema: z.object(evaluationFilterFields).refine(inOrder, wrongOrder),
  page: async (request, { filter, query, from }) => {
    const { reader, caller } = request;
    const found = query && (await searchEvaluations(reader, caller, withPeriod(query), { from, limit: partSize + 1 }));
    return evaluationsPage(request, {
      part: found ? scannedPart(found, positionOfCreation) : { rows: [] },
      from,
      filter,
    });
  },
  exported: (request, query, format) =>
    exportEvaluations(request, request.caller, {
      query: withPeriod(query),
      format,
      origin: originOf(request),
    }),
});

async function show(request: DashboardRequest, error?: string): Promise<DashboardPage> {
  return evaluationPage(request, await mustShow(request), error);
}

/** @throws {ApiError} `not_found` */
async function mustShow({ reader, caller, params }: DashboardRequest): Promise<ShownEvaluation> {
  const shown = await showEvaluation(reader, caller, params.id ?? '');
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
  return redirectWithNotice(request, `/evaluations/${id}`, { kind: 'good', text: 'The label was saved.' });
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
  ...list,
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: (request) => show(request) }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/feedback`, permission: 'act', handle: saveFeedback }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/block-address`, permission: 'act', handle: addAddressBlock }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/block-hardware`, permission: 'act', handle: addHardwareBlock }),
];
