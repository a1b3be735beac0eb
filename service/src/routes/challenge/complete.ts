import { endpoint } from '../../http/endpoint.js';
import { completeChallenge } from '../../operations/challenges/complete.js';
import { success } from '../../schemas/answers.js';
import { challengeId } from '../../schemas/params.js';

export const complete = endpoint(
  {
    method: 'post',
    path: '/v2/challenges/{id}/complete',
    operationId: 'completeChallenge',
    tag: 'Challenges',
    summary: 'Mark a challenge completed',
    description:
      'After the user has been allowed to log in: the device and the address are trusted from now on. Without a code ' +
      'sent, your own verification counts.',
    params: challengeId,
    answer: success,
    errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified'],
  },
  ({ service, caller, params }) => completeChallenge(service, caller, params.id),
);
