import { endpoint } from '../../http/endpoint.js';
import { success } from '../../http/schemas/answers.js';
import { userIdInPath } from '../../http/schemas/params.js';
import { deleteUser } from '../delete.js';

export const remove = endpoint(
  {
    method: 'post',
    path: '/v2/user/{id}/delete',
    operationId: 'deleteUser',
    tag: 'Users',
    summary: 'Delete a user with all that is personal',
    params: userIdInPath,
    answer: success,
    errors: ['not_found'],
  },
  ({ service, caller, params }) => deleteUser(service, caller, params.id),
);
