import { endpoint } from '../../http/endpoint.js';
import { skipChallenge } from '../../operations/challenges/skip.js';
import { success } from '../../schemas/answers.js';
import { challengeId } from '../../schemas/params.js';

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
