import type { EvaluateRequest } from 'whorl/wire';
import { claimEvaluation } from '../../claims/create.js';
import { type EndpointOptions, type EndpointRequest, endpoint } from '../../http/endpoint.js';
import { anyEvaluation } from '../../http/schemas/answers.js';
import { evaluateRequest } from '../../http/schemas/requests.js';
import { contactsOf } from '../../users/routes/contacts.js';
import { evaluate as evaluateAction } from '../evaluate.js';
import { warnAboutDevice } from './warn.js';

const options = {
  method: 'post',
  tag: 'Evaluations',
  keys: 'any',
  ignoredWithPublishableKey: ['ip'],
  body: evaluateRequest,
  answer: anyEvaluation,
  warns: true,
} satisfies Partial<EndpointOptions<undefined, undefined, unknown, unknown>>;

async function answer(received: EndpointRequest<unknown, unknown, EvaluateRequest>) {
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

export const evaluate = endpoint(
  {
    ...options,
    path: '/v2/device/evaluate',
    operationId: 'evaluate',
    summary: 'Evaluate an action',
    description:
      'Judges an action of a user. A secret key is answered with the evaluation; a publishable key with a claim that ' +
      'your server consumes before it acts on it, and the address of the connection counts, not `ip`.',
  },
  answer,
);

export const evaluateUnderPlural = endpoint(
  {
    ...options,
    path: '/v2/devices/evaluate',
    operationId: 'evaluateUnderPlural',
    summary: 'Evaluate an action (the same under another path)',
    description: 'The same as `/v2/device/evaluate`, which is the one to use.',
  },
  answer,
);
