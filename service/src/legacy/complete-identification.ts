import { completeChallenge } from '../challenges/complete.js';
import { endpoint } from '../http/endpoint.js';
import { success } from '../http/schemas/answers.js';
import { challengeId } from '../http/schemas/params.js';

export const completeIdentification = endpoint(
  {
    method: 'post',
    path: '/v2/proj/identification/{id}/complete',
    operationId: 'completeIdentification',
    tag: 'Legacy',
    summary: 'Mark an identification completed',
    description: 'An identification is a challenge under its older name.',
    params: challengeId,
    answer: success,
    errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified'],
  },
  ({ service, caller, params }) => completeChallenge(service, caller, params.id),
);
