import { endpoint } from '../../http/endpoint.js';
import { deviceHash as answer } from '../../http/schemas/answers.js';
import { challengeAndDeviceId } from '../../http/schemas/params.js';
import { challengeDeviceHash } from '../devices.js';

export const deviceHash = endpoint(
  {
    method: 'get',
    path: '/v2/challenges/{id}/devices/{device}/hash',
    operationId: 'challengeDeviceHash',
    tag: 'Challenges',
    summary: "Retrieve a device's hash",
    description: "The newest fingerprint of a device of the challenge's user.",
    params: challengeAndDeviceId,
    answer,
    errors: ['not_found'],
  },
  ({ service, caller, params }) => challengeDeviceHash(service, caller, params.id, params.device),
);
