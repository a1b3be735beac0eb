import { endpoint } from '../../http/endpoint.js';
import { deviceSuccess } from '../../http/schemas/answers.js';
import { challengeId } from '../../http/schemas/params.js';
import { kickRequest } from '../../http/schemas/requests.js';
import { kickDevice } from '../kick.js';

export const kick = endpoint(
  {
    method: 'post',
    path: '/v2/challenges/{id}/kick',
    operationId: 'kickChallengeDevice',
    tag: 'Challenges',
    summary: 'Kick a device of the user',
    description: 'Detaches another device of the user, to make room for the challenged one.',
    params: challengeId,
    body: kickRequest,
    answer: deviceSuccess,
    errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified', 'no_channel'],
  },
  ({ service, caller, params, body }) => kickDevice(service, caller, params.id, body.device),
);
