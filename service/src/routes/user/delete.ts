import { endpoint } from '../../http/endpoint.js';
import { deleteUser } from '../../operations/users/delete.js';
import { success } from '../../schemas/answers.js';
import { userIdInPath } from '../../schemas/params.js';

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
