import { endpoint } from '../../http/endpoint.js';
import { userExport } from '../../http/schemas/answers.js';
import { userIdInPath } from '../../http/schemas/params.js';
import { exportUser as collect } from '../export.js';

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
