import { endpoint } from '../../http/endpoint.js';
import { verifyAnswer } from '../../http/schemas/answers.js';
import { challengeId } from '../../http/schemas/params.js';
import { verifyChallengeRequest } from '../../http/schemas/requests.js';
import { verifyChallenge } from '../verify.js';

export const verify = endpoint(
  {
    method: 'post',
    path: '/v2/challenges/{id}/verify',
    operationId: 'verifyChallenge',
    tag: 'Challenges',
    summary: 'Verify a code',
    description: 'A wrong code is an answer, with `success: false`, and no error.',
    params: challengeId,
    body: verifyChallengeRequest,
    answer: verifyAnswer,
    errors: [
      'not_found',
      'challenge_closed',
      'evaluation_superseded',
      'code_not_sent',
      'code_expired',
      'too_many_attempts',
    ],
  },
  ({ service, caller, params, body }) => verifyChallenge(service, caller, params.id, body.code),
);
