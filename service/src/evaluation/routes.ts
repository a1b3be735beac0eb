import type { EvaluateRequest } from 'whorl/wire';
import { claimEvaluation } from '../claims/create.js';
import { type Endpoint, type EndpointOptions, type EndpointRequest, endpoint } from '../http/endpoint.js';
import { success } from '../http/schemas/answers.js';
import { evaluationId } from '../http/schemas/params.js';
import { contactsOf } from '../users/request-contacts.js';
import { evaluate as evaluateAction } from './evaluate.js';
import { consumeEvaluation, giveFeedback, retrieveEvaluation } from './evaluations.js';
import { warnAboutDevice } from './request-warnings.js';
import {
  anyEvaluation,
  consumeAnswer,
  consumeRequest,
  evaluateRequest,
  evaluationRecord,
  feedbackRequest,
} from './schemas.js';

/** What both paths of the evaluation share. */
const evaluateOptions = {
  method: 'post',
  tag: 'Evaluations',
  keys: 'any',
  ignoredWithPublishableKey: ['ip'],
  body: evaluateRequest,
  answer: anyEvaluation,
  warns: true,
} satisfies Partial<EndpointOptions<undefined, undefined, unknown, unknown>>;

/** The endpoints of evaluations, in the order of the documentation. */
export const evaluationEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      ...evaluateOptions,
      path: '/v2/device/evaluate',
      operationId: 'evaluate',
      summary: 'Evaluate an action',
      description:
        'Judges an action of a user. A secret key is answered with the evaluation; a publishable key with a claim that ' +
        'your server consumes before it acts on it, and the address of the connection counts, not `ip`.',
    },
    evaluateForCaller,
  ),
  endpoint(
    {
      ...evaluateOptions,
      path: '/v2/devices/evaluate',
      operationId: 'evaluateUnderPlural',
      summary: 'Evaluate an action (the same under another path)',
      description: 'The same as `/v2/device/evaluate`, which is the one to use.',
    },
    evaluateForCaller,
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/evaluations/{id}',
      operationId: 'retrieveEvaluation',
      tag: 'Evaluations',
      summary: 'Retrieve an evaluation',
      description: 'As it was recorded, with the evidence for each reason.',
      params: evaluationId,
      answer: evaluationRecord,
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
        'Once only, within 5 minutes, for its own user and action. What a page claimed is judged again with everything that ' +
        'is known now, and takes effect: the verdict is the stricter of both.',
      params: evaluationId,
      body: consumeRequest,
      answer: consumeAnswer,
      warns: true,
      errors: ['not_found', 'already_consumed', 'evaluation_mismatch', 'evaluation_superseded', 'evaluation_expired'],
    },
    (request) => {
      const { service, caller, params, body } = request;
      const { email: _email, phone: _phone, ...rest } = body;
      return consumeEvaluation(service, caller, params.id, { ...rest, ...contactsOf(request, body) });
    },
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/evaluations/{id}/feedback',
      operationId: 'giveFeedback',
      tag: 'Evaluations',
      summary: 'Tell what became of an action',
      params: evaluationId,
      body: feedbackRequest,
      answer: success,
      errors: ['not_found', 'not_consumed'],
    },
    ({ service, caller, params, body }) => giveFeedback(service, caller, params.id, body),
  ),
];

/** Judges at once for a secret key, and keeps a claim for a publishable one. */
async function evaluateForCaller(received: EndpointRequest<unknown, unknown, EvaluateRequest>) {
  const { service, caller, address, metrics, body } = received;
  warnAboutDevice(received, body);
  const { email: _email, phone: _phone, ...rest } = body;
  const request = { ...rest, ...contactsOf(received, body) };
  if (caller.kind === 'publishable') {
    const claim = await claimEvaluation(service, caller, fromPage(request, address?.ip));
    metrics.countClaim(claim.verdict);
    return claim;
  }
  const evaluation = await evaluateAction(service, caller, request);
  metrics.countVerdict({ ...evaluation, action: request.action });
  return evaluation;
}

/** A page may claim any address, so the connection's counts. */
function fromPage(request: EvaluateRequest, ip: string | undefined): EvaluateRequest {
  return ip === undefined ? request : { ...request, ip };
}
