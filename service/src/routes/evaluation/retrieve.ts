import { endpoint } from '../../http/endpoint.js';
import { retrieveEvaluation } from '../../operations/evaluations.js';
import { evaluationRecord } from '../../schemas/evaluation-record.js';
import { evaluationId } from '../../schemas/params.js';

export const retrieve = endpoint(
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
);
