import { endpoint } from '../../http/endpoint.js';
import { evaluationId } from '../../http/schemas/params.js';
import { retrieveEvaluation } from '../evaluations.js';
import { evaluationRecord } from '../record-schema.js';

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
