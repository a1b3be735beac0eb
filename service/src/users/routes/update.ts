import { endpoint } from '../../http/endpoint.js';
import { userIdInPath } from '../../http/schemas/params.js';
import { updateUserRequest } from '../../http/schemas/requests.js';
import { updateUserAnswer } from '../../http/schemas/resources.js';
import { updateUser } from '../update.js';
import { contactsOf } from './contacts.js';

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
  (request) => {
    const { service, caller, params, body } = request;
    const { email, phone, ...rest } = body;
    const cleared = { ...(email === null && { email }), ...(phone === null && { phone }) };
    const given = { ...(email && { email }), ...(phone && { phone }) };
    return updateUser(service, caller, params.id, { ...rest, ...cleared, ...contactsOf(request, given) });
  },
);
