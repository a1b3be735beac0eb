import type { EvaluateRequest } from 'whorl/wire';
import { claimEvaluation, type PageRequest } from '../../evaluation/claims/create.js';
import { evaluate as evaluateAction } from '../../evaluation/evaluate.js';
import { consumeEvaluation, retrieveEvaluation } from '../../evaluation/evaluations.js';
import { giveFeedback } from '../../evaluation/feedback.js';
import { listEvaluations } from '../../evaluation/search/list.js';
import { ApiError } from '../../ground/errors.js';
import { type Endpoint, type EndpointOptions, type EndpointRequest, endpoint } from '../../http/endpoint.js';
import { evaluationId } from '../../http/schemas/params.js';
import { withPeriod } from '../../http/schemas/query.js';
import { success } from '../../http/schemas/responses.js';
import { originOfKey } from '../../resources/audit/audit.js';
import { contactsOf, warnAboutDevice, warnAboutTestKey } from '../request-warnings.js';
import { consumeRequest, evaluateRequest, feedbackRequest } from './request-schemas.js';
import { anyEvaluation, consumeResponse, evaluationRecord, evaluationsPage, evaluationsQuery } from './schemas.js';

/** Options of both paths for evaluation. */
const evaluateOptions = {
  method: 'post',
  tag: 'Evaluations',
  keys: 'any',
  ignoredWithPublishableKey: ['ip', 'agent', 'completed_challenge', 'methods'],
  body: evaluateRequest,
  response: anyEvaluation,
  warns: true,
} satisfies Partial<EndpointOptions<undefined, undefined, unknown, unknown>>;

/** Evaluation endpoints, in the order of the documentation. */
export const evaluationEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      ...evaluateOptions,
      path: '/v2/device/evaluate',
      operationId: 'evaluate',
      summary: 'Evaluate an action',
      description:
        'Returns a verdict on an action of a user. With a secret key, returns the evaluation. With a publishable key, ' +
        'returns a claim that your server must consume before acting on it; the address of the connection is used ' +
        'instead of `ip`, and `agent`, `completed_challenge` and `methods` are ignored.',
    },
    evaluateForCaller,
  ),
  endpoint(
    {
      ...evaluateOptions,
      path: '/v2/devices/evaluate',
      operationId: 'evaluateUnderPlural',
      summary: 'Evaluate an action (alias)',
      description: 'Alias of `/v2/device/evaluate`. Use that path instead.',
    },
    evaluateForCaller,
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/evaluations',
      operationId: 'listEvaluations',
      readsReplica: true,
      tag: 'Evaluations',
      summary: 'List evaluations',
      description:
        'Returns the evaluations that match all filters, the newest first. A filter other than `user`, `user_id` and ' +
        '`device_id` searches 5,000 evaluations per request, so a page can have few or no evaluations: continue at ' +
        '`next_cursor` until there is none. Claims that were not consumed are not included. A parameter that is not known ' +
        'is an error.',
      query: evaluationsQuery,
      response: evaluationsPage,
    },
    ({ service, caller, query: { cursor, limit, ...filter } }) =>
      listEvaluations(service, caller, withPeriod(filter), { cursor, limit }),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/evaluations/{id}',
      operationId: 'retrieveEvaluation',
      tag: 'Evaluations',
      summary: 'Retrieve an evaluation',
      description: 'Returns an evaluation with the evidence for each reason.',
      params: evaluationId,
      response: evaluationRecord,
      errors: ['not_found'],
    },
    ({ service, caller, params }) => retrieveEvaluation(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/evaluations/{id}/consume',
      operationId: 'consumeEvaluation',
      tag: 'Evaluations',
      summary: 'Consume an evaluation',
      description:
        'Marks an evaluation as used. An evaluation can be consumed once, within 5 minutes, and only for its user and ' +
        'action. If a page requested it, it is judged again with current data, and the stricter of both verdicts takes ' +
        'effect.',
      params: evaluationId,
      body: consumeRequest,
      response: consumeResponse,
      warns: true,
      errors: ['not_found', 'already_consumed', 'evaluation_mismatch', 'evaluation_superseded', 'evaluation_expired'],
    },
    async (request) => {
      const { service, caller, params, body } = request;
      const { email: _email, phone: _phone, ...rest } = body;
      const consumption = { ...rest, ...contactsOf(request, body) };
      const evaluation = await consumeEvaluation(service, caller, params.id, consumption);
      warnAboutTestKey(request, evaluation.decided_by);
      return evaluation;
    },
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/evaluations/{id}/feedback',
      operationId: 'giveFeedback',
      tag: 'Evaluations',
      summary: 'Give feedback on an evaluation',
      description: 'Records whether the evaluated action turned out to be fraud.',
      params: evaluationId,
      body: feedbackRequest,
      response: success,
      errors: ['not_found', 'not_consumed'],
    },
    ({ service, caller, address, params, body }) =>
      giveFeedback(service, caller, params.id, body, originOfKey(caller, address)),
  ),
];

/** Evaluates the action for a secret key, or creates a claim for a publishable key. */
async function evaluateForCaller(received: EndpointRequest<unknown, unknown, EvaluateRequest>) {
  const { service, caller, address, metrics, body } = received;
  await warnAboutDevice(received, body);
  const { email: _email, phone: _phone, ...rest } = body;
  const request = { ...rest, ...contactsOf(received, body) };
  if (caller.kind === 'publishable') {
    const claim = await claimEvaluation(service, caller, fromPage(request, address?.ip));
    metrics.countClaim(claim.verdict);
    return claim;
  }
  const evaluation = await evaluateAction(service, caller, request, received);
  warnAboutTestKey(received, evaluation.decided_by);
  const counted = { ...evaluation, action: request.action };
  if (request.outcome === 'failed') metrics.countFailure(counted);
  else metrics.countVerdict(counted);
  return evaluation;
}

/**
 * Uses the connection's address, because a page could send any address.
 *
 * @throws {ApiError} `invalid_request` without a fingerprint: a page that runs the package always has one.
 */
function fromPage({ fingerprint, ...request }: EvaluateRequest, ip: string | undefined): PageRequest {
  if (fingerprint === undefined) {
    throw new ApiError('invalid_request', { errors: [{ path: 'fingerprint', message: 'is required' }] });
  }
  return { ...request, fingerprint, ...(ip !== undefined && { ip }) };
}
