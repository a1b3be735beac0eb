import { endpoint } from '../../http/endpoint.js';
import { success } from '../../http/schemas/answers.js';
import { evaluationId } from '../../http/schemas/params.js';
import { feedbackRequest } from '../../http/schemas/requests.js';
import { giveFeedback } from '../evaluations.js';

export const feedback = endpoint(
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
);
