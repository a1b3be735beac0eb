import { legacyUserDevices } from '../devices/list.js';
import { endpoint } from '../http/endpoint.js';
import { deviceList } from '../http/schemas/answers.js';
import { userIdInPath } from '../http/schemas/params.js';
import { legacyDevicesQuery } from '../http/schemas/query.js';
import { deprecatedSince } from './deprecated-since.js';

export const userDevices = endpoint(
  {
    method: 'get',
    path: '/v2/proj/user/{id}/devices',
    operationId: 'legacyUserDevices',
    tag: 'Legacy',
    summary: "List a user's devices in one array",
    params: userIdInPath,
    query: legacyDevicesQuery,
    answer: deviceList,
    errors: ['not_found'],
    deprecated: { since: deprecatedSince, successor: '/v2/user/{id}/devices' },
  },
  ({ service, caller, params, query }) => legacyUserDevices(service, caller, params.id, query),
);
