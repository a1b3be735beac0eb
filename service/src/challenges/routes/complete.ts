import { endpoint } from '../../http/endpoint.js';
import { success } from '../../http/schemas/answers.js';
import { challengeId } from '../../http/schemas/params.js';
import { completeChallenge } from '../complete.js';

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
