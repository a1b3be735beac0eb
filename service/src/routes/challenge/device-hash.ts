import { endpoint } from '../../http/endpoint.js';
import { challengeDeviceHash } from '../../operations/challenges/devices.js';
import { deviceHash as answer } from '../../schemas/answers.js';
import { challengeAndDeviceId } from '../../schemas/params.js';

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
