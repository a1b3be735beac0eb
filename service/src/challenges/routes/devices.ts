import { endpoint } from '../../http/endpoint.js';
import { challengeDevices } from '../../http/schemas/answers.js';
import { challengeId } from '../../http/schemas/params.js';
import { challengeDevices as findDevices } from '../devices.js';

export const devices = endpoint(
  {
    method: 'get',
    path: '/v2/challenges/{id}/devices',
    operationId: 'challengeDevices',
    tag: 'Challenges',
    summary: "Retrieve a challenge's devices",
    description: 'The devices of the user that count towards the limit.',
    params: challengeId,
    answer: challengeDevices,
    errors: ['not_found'],
  },
  ({ service, caller, params }) => findDevices(service, caller, params.id),
);
