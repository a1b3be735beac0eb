import { endpoint } from '../../http/endpoint.js';
import { deviceId } from '../../http/schemas/params.js';
import { updateDeviceRequest } from '../../http/schemas/requests.js';
import { device } from '../../http/schemas/resources.js';
import { updateDevice } from '../update.js';

export const update = endpoint(
  {
    method: 'post',
    path: '/v2/device/{id}/update',
    operationId: 'updateDevice',
    tag: 'Devices',
    summary: 'Block a device, attach it, or trust it for good',
    params: deviceId,
    body: updateDeviceRequest,
    answer: device,
    errors: ['not_found'],
  },
  ({ service, caller, params, body }) => updateDevice(service, caller, params.id, body),
);
