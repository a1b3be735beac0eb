import { endpoint } from '../../http/endpoint.js';
import { evaluationId } from '../../http/schemas/params.js';
import { consumeRequest } from '../../http/schemas/requests.js';
import { contactsOf } from '../../users/routes/contacts.js';
import { consumeEvaluation } from '../evaluations.js';
import { consumeAnswer } from '../record-schema.js';

export const consume = endpoint(
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
);
