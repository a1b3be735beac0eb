import { listUserDevices } from '../../devices/list.js';
import { endpoint } from '../../http/endpoint.js';
import { devicePage } from '../../http/schemas/answers.js';
import { userIdInPath } from '../../http/schemas/params.js';
import { userDevicesQuery } from '../../http/schemas/query.js';

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
