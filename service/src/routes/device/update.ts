import { endpoint } from '../../http/endpoint.js';
import { updateDevice } from '../../operations/devices/update.js';
import { deviceId } from '../../schemas/params.js';
import { updateDeviceRequest } from '../../schemas/requests.js';
import { device } from '../../schemas/resources.js';

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
