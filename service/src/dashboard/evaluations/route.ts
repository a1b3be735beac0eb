import { z } from 'zod';
import { feedbackRequest } from '../../api/evaluations/schemas.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { actionName } from '../../http/schemas/fields.js';
import { isDateOrTimestamp, withPeriod } from '../../http/schemas/query.js';
import { outcome, reason, verdict } from '../../http/schemas/vocabulary.js';
import { labelEvaluation } from '../admin-actions.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { readPosition } from '../position-rules.js';
import { actorOf } from '../visit.js';
import { listEvaluations, showEvaluation } from './load.js';
import { evaluationPage, evaluationsPage } from './view.js';

const path = '/dashboard/{project}/{mode}/evaluations';

const moment = () => z.string().refine(isDateOrTimestamp).optional().catch(undefined);

/** Invalid filter values are ignored. */
const filterQuery = z.object({
  verdict: verdict().optional().catch(undefined),
  reason: reason().optional().catch(undefined),
  action: actionName().optional().catch(undefined),
  outcome: outcome().optional().catch(undefined),
  start_date: moment(),
  end_date: moment(),
});

async function list(visit: DashboardVisit): Promise<DashboardPage> {
  const { service, caller } = visit;
  const query = filterQuery.parse(Object.fromEntries(visit.query));
  const from = readPosition(visit.query.get('from'));
  const part = await listEvaluations(service, caller, withPeriod(query), from);
  return evaluationsPage(visit, part, { query, from });
}

async function show(visit: DashboardVisit, error?: string): Promise<DashboardPage> {
  const shown = await showEvaluation(visit.service, visit.caller, visit.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no evaluation with this ID.' });
  return evaluationPage(visit, shown, error);
}

async function saveFeedback(visit: DashboardVisit): Promise<DashboardPage | Response> {
  const { service, params, fields } = visit;
  const id = params.id ?? '';
  const read = feedbackRequest.safeParse({ label: fields.get('label'), note: fields.get('note')?.trim() || undefined });
  if (!read.success) return show(visit, 'Choose a label. The note can have at most 2,000 characters.');
  const { label, note } = read.data;
  await labelEvaluation(service, actorOf(visit), id, { label, ...(note !== undefined && { note }) });
  return redirectWithNotice(visit, `/evaluations/${id}`, { kind: 'good', text: 'The outcome was saved.' });
}

export const evaluations: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, answer: list }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, answer: (visit) => show(visit) }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/feedback`, answer: saveFeedback }),
];
