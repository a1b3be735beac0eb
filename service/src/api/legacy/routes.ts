import { completeChallenge } from '../../challenges/lifecycle.js';
import { accessHistory as listAccesses } from '../../evaluation/access-history.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { challengeId, userIdInPath } from '../../http/schemas/params.js';
import { withPeriod } from '../../http/schemas/query.js';
import { success } from '../../http/schemas/responses.js';
import { originOfKey } from '../../resources/audit/audit.js';
import { legacyUserDevices } from '../../resources/devices/list.js';
import { mergeMetadata } from '../../resources/devices/merge-metadata.js';
import { device, metadataRequest } from '../devices/schemas.js';
import { accessHistoryQuery, accessPage, deviceList, legacyDeviceId, legacyDevicesQuery } from './schemas.js';

/** Release date of the first version, which already included the successors. */
const deprecatedSince = new Date('2026-11-21T00:00:00Z');

/** Endpoints under `/v2/proj`, in the order of the documentation. */
export const legacyEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'get',
      path: '/v2/proj/access-history',
      operationId: 'accessHistory',
      readsReplica: true,
      tag: 'Legacy',
      summary: 'List accesses',
      description: 'Evaluations with their users, actions and addresses, the most recent first.',
      query: accessHistoryQuery,
      response: accessPage,
    },
    ({ service, caller, query }) => listAccesses(service, caller, withPeriod(query)),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/proj/user/{id}/devices',
      operationId: 'legacyUserDevices',
      tag: 'Legacy',
      summary: "List a user's devices in one array",
      params: userIdInPath,
      query: legacyDevicesQuery,
      response: deviceList,
      errors: ['not_found'],
      deprecated: { since: deprecatedSince, successor: '/v2/user/{id}/devices' },
    },
    ({ service, caller, params, query }) => legacyUserDevices(service, caller, params.id, query),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/proj/identification/{id}/complete',
      operationId: 'completeIdentification',
      tag: 'Legacy',
      summary: 'Mark an identification completed',
      description: 'An identification is a challenge under its older name.',
      params: challengeId,
      response: success,
      errors: ['not_found', 'challenge_closed', 'evaluation_superseded', 'challenge_not_verified'],
    },
    ({ service, caller, params }) => completeChallenge(service, caller, params.id),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/proj/device/{device}/metadata',
      operationId: 'legacyDeviceMetadata',
      tag: 'Legacy',
      summary: "Change a device's metadata",
      params: legacyDeviceId,
      body: metadataRequest,
      response: device,
      errors: ['not_found'],
      deprecated: { since: deprecatedSince, successor: '/v2/device/{device}/metadata' },
    },
    ({ service, caller, address, params, body }) =>
      mergeMetadata(service, caller, params.device, {
        changes: body.metadata,
        origin: originOfKey(caller, address),
      }),
  ),
];
