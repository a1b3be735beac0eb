import { endpoint } from '../../http/endpoint.js';
import { listUserDevices } from '../../operations/devices/list.js';
import { devicePage } from '../../schemas/answers.js';
import { userIdInPath } from '../../schemas/params.js';
import { userDevicesQuery } from '../../schemas/query.js';

export const devices = endpoint(
  {
    method: 'get',
    path: '/v2/user/{id}/devices',
    operationId: 'listUserDevices',
    tag: 'Users',
    summary: "List a user's devices",
    params: userIdInPath,
    query: userDevicesQuery,
    answer: devicePage,
    errors: ['not_found'],
  },
  ({ service, caller, params, query }) => listUserDevices(service, caller, params.id, query),
);
