import { endpoint } from '../../http/endpoint.js';
import { challengeId } from '../../http/schemas/params.js';
import { challenge } from '../../http/schemas/resources.js';
import { openChallenge } from '../open.js';

export const open = endpoint(
  {
    method: 'post',
    path: '/v2/challenges/{id}/open',
    operationId: 'openChallenge',
    tag: 'Challenges',
    summary: 'Open a challenge',
    description: 'Tells that the user sees the challenge. The first time, `challenge.viewed` is emitted.',
    params: challengeId,
    answer: challenge,
    errors: ['not_found', 'challenge_closed', 'evaluation_superseded'],
  },
  ({ service, caller, params }) => openChallenge(service, caller, params.id),
);
