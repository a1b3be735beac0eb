import { mergeMetadata } from '../devices/merge-metadata.js';
import { endpoint } from '../http/endpoint.js';
import { legacyDeviceId } from '../http/schemas/params.js';
import { metadataRequest } from '../http/schemas/requests.js';
import { device } from '../http/schemas/resources.js';
import { deprecatedSince } from './deprecated-since.js';

export const deviceMetadata = endpoint(
  {
    method: 'post',
    path: '/v2/proj/device/{device}/metadata',
    operationId: 'legacyDeviceMetadata',
    tag: 'Legacy',
    summary: "Change a device's metadata",
    params: legacyDeviceId,
    body: metadataRequest,
    answer: device,
    errors: ['not_found'],
    deprecated: { since: deprecatedSince, successor: '/v2/device/{device}/metadata' },
  },
  ({ service, caller, params, body }) => mergeMetadata(service, caller, params.device, body.metadata),
);
