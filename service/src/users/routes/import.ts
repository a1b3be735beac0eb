import { endpoint } from '../../http/endpoint.js';
import { readImportRow } from '../import/import-row-schema.js';
import { importUsers as storeUsers } from '../import/import-users.js';
import { importUsersAnswer, importUsersRequest } from '../import/import-users-schema.js';
import { unreadableContact } from '../rules/contacts/index.js';
import { warnAboutRow } from './warn-about-row.js';

export const importUsers = endpoint(
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
    bulk: { bodyLimitBytes: 4 * 1024 * 1024, timeoutMs: 60_000, atOnce: 2, name: 'import' },
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
);
