import { endpoint } from '../../http/endpoint.js';
import { kickDevice } from '../../operations/challenges/kick.js';
import { deviceSuccess } from '../../schemas/answers.js';
import { challengeId } from '../../schemas/params.js';
import { kickRequest } from '../../schemas/requests.js';

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
