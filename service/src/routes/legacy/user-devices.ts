import { endpoint } from '../../http/endpoint.js';
import { legacyUserDevices } from '../../operations/devices/list.js';
import { deviceList } from '../../schemas/answers.js';
import { userIdInPath } from '../../schemas/params.js';
import { legacyDevicesQuery } from '../../schemas/query.js';
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
