import { endpoint } from '../../http/endpoint.js';
import { sendAnswer } from '../../http/schemas/answers.js';
import { challengeId } from '../../http/schemas/params.js';
import { sendChallengeRequest } from '../../http/schemas/requests.js';
import { sendChallenge } from '../send.js';

export const send = endpoint(
  {
    method: 'post',
    path: '/v2/challenges/{id}/send',
    operationId: 'sendChallenge',
    tag: 'Challenges',
    summary: 'Send a code to the user',
    description: 'A new code voids the one before. Once in 30 s, 5 times a challenge, 10 an hour to one address.',
    params: challengeId,
    body: sendChallengeRequest,
    answer: sendAnswer,
    errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'no_channel'],
  },
  ({ service, caller, params, body }) => sendChallenge(service, caller, params.id, body),
);
