import { endpoint } from '../../http/endpoint.js';
import { mergeMetadata } from '../../operations/devices/merge-metadata.js';
import { legacyDeviceId } from '../../schemas/params.js';
import { metadataRequest } from '../../schemas/requests.js';
import { device } from '../../schemas/resources.js';
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
