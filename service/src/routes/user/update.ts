import { endpoint } from '../../http/endpoint.js';
import { updateUser } from '../../operations/users/update.js';
import { userIdInPath } from '../../schemas/params.js';
import { updateUserRequest } from '../../schemas/requests.js';
import { user } from '../../schemas/resources.js';

export const update = endpoint(
  {
    method: 'post',
    path: '/v2/user/{id}/update',
    operationId: 'updateUser',
    tag: 'Users',
    summary: 'Change a user',
    description: 'What is not given stays; null clears. Metadata is merged key by key.',
    params: userIdInPath,
    body: updateUserRequest,
    answer: user,
    errors: ['not_found'],
  },
  ({ service, caller, params, body }) => updateUser(service, caller, params.id, body),
);
