import { endpoint } from '../../http/endpoint.js';
import { challengeId } from '../../http/schemas/params.js';
import { challenge } from '../../http/schemas/resources.js';
import { retrieveChallenge } from '../retrieve.js';

export const retrieve = endpoint(
  {
    method: 'get',
    path: '/v2/challenges/{id}',
    operationId: 'retrieveChallenge',
    tag: 'Challenges',
    summary: 'Retrieve a challenge',
    description: "The identifier is the one given to the front-end package's `onChallenge` callback.",
    params: challengeId,
    answer: challenge,
    errors: ['not_found'],
  },
  ({ service, caller, params }) => retrieveChallenge(service, caller, params.id),
);
