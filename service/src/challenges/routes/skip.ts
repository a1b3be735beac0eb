import { endpoint } from '../../http/endpoint.js';
import { success } from '../../http/schemas/answers.js';
import { challengeId } from '../../http/schemas/params.js';
import { skipChallenge } from '../skip.js';

export const skip = endpoint(
  {
    method: 'post',
    path: '/v2/challenges/{id}/skip',
    operationId: 'skipChallenge',
    tag: 'Challenges',
    summary: 'Skip a challenge',
    description: 'Closes it, and trusts nothing.',
    params: challengeId,
    answer: success,
    errors: ['not_found', 'challenge_closed'],
  },
  ({ service, caller, params }) => skipChallenge(service, caller, params.id),
);
