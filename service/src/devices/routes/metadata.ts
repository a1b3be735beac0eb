import { endpoint } from '../../http/endpoint.js';
import { deviceId } from '../../http/schemas/params.js';
import { metadataRequest } from '../../http/schemas/requests.js';
import { device } from '../../http/schemas/resources.js';
import { mergeMetadata } from '../merge-metadata.js';

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
