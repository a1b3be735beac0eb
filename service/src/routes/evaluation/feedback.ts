import { endpoint } from '../../http/endpoint.js';
import { giveFeedback } from '../../operations/evaluations.js';
import { success } from '../../schemas/answers.js';
import { evaluationId } from '../../schemas/params.js';
import { feedbackRequest } from '../../schemas/requests.js';

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
