import { endpoint } from '../../http/endpoint.js';
import { mergeMetadata } from '../../operations/devices/merge-metadata.js';
import { deviceId } from '../../schemas/params.js';
import { metadataRequest } from '../../schemas/requests.js';
import { device } from '../../schemas/resources.js';

export const metadata = endpoint(
  {
    method: 'post',
    path: '/v2/device/{id}/metadata',
    operationId: 'mergeDeviceMetadata',
    tag: 'Devices',
    summary: "Change a device's metadata",
    params: deviceId,
    body: metadataRequest,
    answer: device,
    errors: ['not_found'],
  },
  ({ service, caller, params, body }) => mergeMetadata(service, caller, params.id, body.metadata),
);
