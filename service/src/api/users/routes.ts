import { deleteUser } from '../../effects/erasure/delete.js';
import { exportUser } from '../../effects/export/export.js';
import { countResults, recordImport, importUsers as storeUsers } from '../../effects/import/import-users.js';
import { minuteMs } from '../../ground/time.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { userIdInPath } from '../../http/schemas/params.js';
import { withPeriod } from '../../http/schemas/query.js';
import { success } from '../../http/schemas/responses.js';
import { originOfKey } from '../../resources/audit/audit.js';
import { listUserDevices } from '../../resources/devices/list.js';
import { unreadableContact } from '../../resources/users/rules/contacts.js';
import { listUsers } from '../../resources/users/search/list.js';
import { updateUser } from '../../resources/users/update.js';
import { devicePage, userDevicesQuery } from '../devices/schemas.js';
import { requireContacts } from '../request-warnings.js';
import { warnAboutRow } from './import/row-warnings.js';
import { importUsersRequest, importUsersResponse, readImportRow } from './import/schemas.js';
import {
  searchUsersRequest,
  updateUserRequest,
  updateUserResponse,
  userExport,
  usersPage,
  usersQuery,
} from './schemas.js';

/** User endpoints, in the order of the documentation. */
export const userEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'get',
      path: '/v2/users',
      operationId: 'listUsers',
      readsReplica: true,
      tag: 'Users',
      summary: 'List users',
      description:
        'Returns the users that match all filters, the newest first. A filter other than `user` and `user_id` ' +
        'searches 5,000 users per request, so a page can have few or no users: continue at `next_cursor` until there ' +
        'is none. A parameter that is not known is an error.',
      query: usersQuery,
      response: usersPage,
    },
    ({ service, caller, query: { cursor, limit, ...filter } }) =>
      listUsers(service, caller, withPeriod(filter), { cursor, limit }),
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/users/search',
      operationId: 'searchUsers',
      scope: 'read',
      tag: 'Users',
      summary: 'Find users by a contact',
      description:
        'Returns the users with an email address, a phone number or both, the newest first. The body keeps the contact ' +
        'out of URLs, which proxies log.',
      body: searchUsersRequest,
      response: usersPage,
    },
    ({ service, caller, body: { cursor, limit, ...filter } }) => listUsers(service, caller, filter, { cursor, limit }),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/user/{id}/devices',
      operationId: 'listUserDevices',
      tag: 'Users',
      summary: "List a user's devices",
      description: "Returns a user's devices sorted by creation date, most recent first.",
      params: userIdInPath,
      query: userDevicesQuery,
      response: devicePage,
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
      summary: 'Create or update a user',
      description:
        'Updates a user, and creates it if it does not exist. Fields that you omit are not changed; set a field to null ' +
        'to clear it. Metadata is merged key by key. If a contact is not valid, nothing is changed.',
      createsMissing: true,
      params: userIdInPath,
      body: updateUserRequest,
      response: updateUserResponse,
      warns: true,
      errors: ['not_found'],
    },
    async ({ service, caller, address, params, body }) => {
      const { email, phone, ...rest } = body;
      const cleared = { ...(email === null && { email }), ...(phone === null && { phone }) };
      const set = { ...(email && { email }), ...(phone && { phone }) };
      const update = { ...rest, ...cleared, ...requireContacts(caller, set) };
      return updateUser(service, caller, params.id, update, originOfKey(caller, address));
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
        'Creates or updates up to 1,000 users. Each row succeeds or fails independently: the response is 200 even if some ' +
        'rows fail, and contains a result for each row. Importing a row again changes nothing. The maximum body size is ' +
        '4 MiB.',
      body: importUsersRequest,
      response: importUsersResponse,
      warns: true,
      // Processing 4 MiB takes up to 80 MB of memory, so a process accepts only two requests at a time.
      bulk: { bodyLimitBytes: 4 * 1024 * 1024, timeoutMs: minuteMs, concurrency: 2, name: 'import' },
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
      await recordImport(service, caller, countResults(results), originOfKey(caller, request.address));
      return { results };
    },
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/user/{id}/delete',
      operationId: 'deleteUser',
      tag: 'Users',
      summary: 'Delete a user',
      description: 'Permanently deletes a user and all of its personal data.',
      params: userIdInPath,
      response: success,
      errors: ['not_found'],
    },
    ({ service, caller, address, params }) => deleteUser(service, caller, params.id, originOfKey(caller, address)),
  ),
  endpoint(
    {
      method: 'get',
      path: '/v2/user/{id}/export',
      operationId: 'exportUser',
      tag: 'Users',
      summary: 'Export a user',
      description: 'Returns all data that is stored about a user as one JSON document.',
      params: userIdInPath,
      response: userExport,
      errors: ['not_found'],
    },
    ({ service, caller, address, params }) => exportUser(service, caller, params.id, originOfKey(caller, address)),
  ),
];
