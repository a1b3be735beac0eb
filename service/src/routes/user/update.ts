import { endpoint } from '../../http/endpoint.js';
import { updateUser } from '../../operations/users/update.js';
import { userIdInPath } from '../../schemas/params.js';
import { updateUserRequest } from '../../schemas/requests.js';
import { updateUserAnswer } from '../../schemas/resources.js';

export const update = endpoint(
  {
    method: 'post',
    path: '/v2/user/{id}/update',
    operationId: 'updateUser',
    tag: 'Users',
    summary: 'Change or create a user',
    description:
      'Fields that are left out stay as they are; null clears. Metadata is merged key by key. A user that does not exist ' +
      'is created.',
    createsMissing: true,
    params: userIdInPath,
    body: updateUserRequest,
    answer: updateUserAnswer,
    warns: true,
    errors: ['not_found'],
  },
  ({ service, caller, params, body }) => updateUser(service, caller, params.id, body),
);
