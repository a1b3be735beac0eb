import { validate as isUuid } from 'uuid';
import type { ReviewOrder } from '../../evaluation/reviews/queries.js';
import { decideReview, type ReviewObstacle, takeNextReview, takeReview } from '../../evaluation/reviews/reviews.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { text } from '../../http/schemas/fields.js';
import { actorOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn } from '../request.js';
import { labels } from './labels/route.js';
import { loadQueue, loadReview } from './load.js';
import type { ReviewPosition } from './queries.js';
import { decisionWords, obstacleText, queuePage, reviewPage } from './view.js';

const path = '/dashboard/{project}/{mode}/review';
const orders = ['oldest', 'score'] as const satisfies readonly ReviewOrder[];

/** Invalid values are ignored. */
function orderIn(fields: URLSearchParams): ReviewOrder {
  return orders.find((order) => order === fields.get('order')) ?? 'oldest';
}

/** Reads a position from a URL: the score, an underscore, the ID. */
function positionIn(query: URLSearchParams): ReviewPosition | undefined {
  const [, score, id] = /^(\d{1,3}(?:\.\d{1,20})?(?:e-\d{1,3})?)_([0-9a-f-]{36})$/.exec(query.get('after') ?? '') ?? [];
  return score !== undefined && id !== undefined && isUuid(id)
    ? { score: Number(score), evaluation_id: id }
    : undefined;
}

async function list(request: DashboardRequest): Promise<DashboardPage> {
  const order = orderIn(request.query);
  const after = positionIn(request.query);
  const queue = await loadQueue(request.reader, request.caller, { order, after });
  return queuePage(request, queue, { order, isFirst: after === undefined });
}

/** Why a form was refused. */
type Refused =
  | { readonly status: 409; readonly obstacle: ReviewObstacle }
  | { readonly status: 422; readonly error: string; readonly note: string | undefined };

async function show(request: DashboardRequest, refused?: Refused): Promise<DashboardPage> {
  const shown = await loadReview(request.reader, request.caller, request.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'No evaluation with this ID waits for a review, or did.' });
  const order = orderIn(refused ? request.fields : request.query);
  const entered = refused?.status === 422 ? { error: refused.error, note: refused.note } : {};
  const page = reviewPage(request, shown, { order, by: actorOf(request).origin.by, ...entered });
  if (!refused) return page;
  const { status } = refused;
  return status === 422
    ? { ...page, status }
    : { ...page, status, notice: { kind: 'bad', text: obstacleText(refused.obstacle, shown.names) } };
}

async function take(request: DashboardRequest): Promise<DashboardPage | Response> {
  const id = request.params.id ?? '';
  const obstacle = await takeReview(request.service, actorOf(request), id);
  if (obstacle) return show(request, { status: 409, obstacle });
  return redirectWithNotice(request, `/review/${id}?order=${orderIn(request.fields)}`);
}

async function takeNext(request: DashboardRequest): Promise<Response> {
  return goToNext(request, 'Nothing else waits for a review.');
}

/** Takes the next review and redirects to it. The text is shown before it, or on the queue if nothing else waits. */
async function goToNext(request: DashboardRequest, whenEmpty: string, before?: string): Promise<Response> {
  const order = orderIn(request.fields);
  const next = await takeNextReview(request.service, actorOf(request), order);
  if (next === undefined) return redirectWithNotice(request, '/review', { kind: 'good', text: whenEmpty });
  const notice = before === undefined ? undefined : ({ kind: 'good', text: before } as const);
  return redirectWithNotice(request, `/review/${next}?order=${order}`, notice);
}

const noteField = text(2000).optional();

async function decide(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, fields, params } = request;
  const decision = choiceIn(fields, 'decision', ['fraud', 'legitimate', 'set_aside']);
  const entered = fields.get('note')?.trim() || undefined;
  const note = noteField.safeParse(entered);
  if (!note.success) {
    const error = 'The note can have at most 2,000 characters.';
    return show(request, { status: 422, error, note: entered });
  }
  const chosen = { decision, ...(note.data !== undefined && { note: note.data }) };
  const obstacle = await decideReview(service, actorOf(request), params.id ?? '', chosen);
  if (obstacle) return show(request, { status: 409, obstacle });
  const done = `The last one was ${decisionWords[decision]}.`;
  return goToNext(request, `${done} Nothing else waits for a review.`, `${done} This is the next one.`);
}

/** The review queue, and the review of one evaluation. */
export const review: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view', handle: list }),
  dashboardRoute({ method: 'post', path, permission: 'act', handle: takeNext }),
  labels,
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: (request) => show(request) }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/take`, permission: 'act', handle: take }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/decide`, permission: 'act', handle: decide }),
];
