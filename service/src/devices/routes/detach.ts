import { endpoint } from '../../http/endpoint.js';
import { deviceSuccess } from '../../http/schemas/answers.js';
import { deviceId } from '../../http/schemas/params.js';
import { detachRequest } from '../../http/schemas/requests.js';
import { detachDevice } from '../detach.js';

export const detach = endpoint(
  {
    method: 'post',
    path: '/v2/device/{id}/detach',
    operationId: 'detachDevice',
    tag: 'Devices',
    summary: 'Detach a device',
    description: 'The device loses its trust, and its place in the limits is free.',
    params: deviceId,
    body: detachRequest,
    answer: deviceSuccess,
    errors: ['not_found'],
  },
  ({ service, caller, params, body }) => detachDevice(service, caller, params.id, body),
);
