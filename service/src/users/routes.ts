import { listUserDevices } from '../devices/list.js';
import { devicePage, userDevicesQuery } from '../devices/schemas.js';
import { type Endpoint, endpoint } from '../http/endpoint.js';
import { success } from '../http/schemas/answers.js';
import { userIdInPath } from '../http/schemas/params.js';
import { deleteUser } from './delete.js';
import { exportUser } from './export.js';
import { importUsers as storeUsers } from './import/import-users.js';
import { warnAboutRow } from './import/row-warnings.js';
import { importUsersAnswer, importUsersRequest, readImportRow } from './import/schemas.js';
import { contactsOf } from './request-contacts.js';
import { unreadableContact } from './rules/contacts.js';
import { updateUserAnswer, updateUserRequest, userExport } from './schemas.js';
import { updateUser } from './update.js';

/** The endpoints of users, in the order of the documentation. */
export const userEndpoints: readonly Endpoint[] = [
  endpoint(
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
  ),
  endpoint(
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
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/user/import',
      operationId: 'importUsers',
      tag: 'Users',
      summary: 'Import users',
      description:
        'Creates or changes up to 1,000 users, each by itself: the answer is 200 also where rows failed, and says for each ' +
        'row what became of it. A row that comes again changes nothing. The body has 4 MiB at most.',
      body: importUsersRequest,
      answer: importUsersAnswer,
      warns: true,
      // 4 MiB are up to 80 MB while they are worked on, so a process takes two at once.
      bulk: { bodyLimitBytes: 4 * 1024 * 1024, timeoutMs: 60_000, concurrency: 2, name: 'import' },
    },
    async (request) => {
      const { service, caller, metrics, warn, body } = request;
      if (caller.mode === 'test') {
        for (const [index, row] of body.users.entries())
          warnAboutRow(row, (path, message) => warn(`users.${index}.${path}`, message));
      }
      const results = await storeUsers(service, caller, body.users.map(readImportRow), {
        onUnreadableContact(kind, row) {
          metrics.countUnreadableContact(kind);
          warn(`users.${row}.${kind}`, unreadableContact[kind]);
        },
      });
      return { results };
    },
  ),
  endpoint(
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
  ),
  endpoint(
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
    ({ service, caller, params }) => exportUser(service, caller, params.id),
  ),
];
