import { endpoint } from '../../http/endpoint.js';
import { exportUser as collect } from '../../operations/users/export.js';
import { userExport } from '../../schemas/answers.js';
import { userIdInPath } from '../../schemas/params.js';

export const exportUser = endpoint(
  {
    method: 'get',
    path: '/v2/user/{id}/export',
    operationId: 'exportUser',
    tag: 'Users',
    summary: 'Export all that is held on a user',
    params: userIdInPath,
    answer: userExport,
    errors: ['not_found'],
  },
  ({ service, caller, params }) => collect(service, caller, params.id),
);
