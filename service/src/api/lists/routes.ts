import { z } from '@hono/zod-openapi';
import { ApiError, noSuch } from '../../ground/errors.js';
import { endOfPeriod } from '../../ground/moment-rules.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { uuid } from '../../http/schemas/fields.js';
import { originOfKey } from '../../resources/audit/audit.js';
import { addEntries, endEntry, InvalidListEntries } from '../../resources/lists/change-entries.js';
import { listEntries } from '../../resources/lists/read-entries.js';
import { addListEntriesRequest, addListEntriesResponse, listEntry, listPage, listsQuery } from './schemas.js';

/** Endpoints for lists, in the order of the documentation. */
export const listEndpoints: readonly Endpoint[] = [
  endpoint(
    {
      method: 'get',
      path: '/v2/lists',
      operationId: 'listEntries',
      readsReplica: true,
      tag: 'Lists',
      summary: 'List the entries of lists',
      description:
        'Returns the entries of the project that are in effect, the newest first; with `at`, those that were at that time. ' +
        'Entries apply to live and test keys, so a test key cannot read them.',
      scope: 'manage_or_read',
      query: listsQuery,
      response: listPage,
    },
    async ({ service, caller, query: { kind, effect, value, at, page, limit } }) => {
      if (caller.mode === 'test') {
        throw new ApiError('insufficient_scope', { detail: 'Lists apply to live keys as well. Use a live key.' });
      }
      const filter = { kind, effect, value, at: at === undefined ? service.now() : endOfPeriod(at) };
      const { entries, total } = await listEntries(service, caller.project.id, { filter, page, limit });
      return { data: entries, page, limit, total };
    },
  ),
  endpoint(
    {
      method: 'post',
      path: '/v2/lists',
      operationId: 'addListEntries',
      tag: 'Lists',
      summary: 'Add entries to lists',
      description:
        'Adds up to 1,000 entries. If one is invalid, none is added. An entry for a value that is listed with another ' +
        'effect, note or expiry replaces that entry; one that is there already stays. The maximum body size is 1 MiB.',
      scope: 'manage',
      body: addListEntriesRequest,
      response: addListEntriesResponse,
      bulk: { bodyLimitBytes: 1024 * 1024, timeoutMs: 10_000, concurrency: 2, name: 'lists' },
    },
    async ({ service, caller, address, body }) => {
      const wanted = body.entries.map(({ expires_at, ...entry }) => ({
        ...entry,
        expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
      }));
      const origin = originOfKey(caller, address);
      const { entries } = await addEntries(service, { projectId: caller.project.id, entries: wanted, origin }).catch(
        refuse,
      );
      return { entries: entries.map((entry) => ({ ...entry })) };
    },
  ),
  endpoint(
    {
      method: 'delete',
      path: '/v2/lists/{id}',
      operationId: 'endListEntry',
      tag: 'Lists',
      summary: 'End an entry of a list',
      description: 'Ends the entry at once. It stays in the history. Ending it again changes nothing.',
      scope: 'manage',
      params: z.object({ id: uuid() }),
      response: listEntry,
      errors: ['not_found'],
    },
    async ({ service, caller, address, params: { id } }) => {
      const origin = originOfKey(caller, address);
      const entry = await endEntry(service, { projectId: caller.project.id, id, origin });
      if (!entry) throw noSuch('list entry');
      return entry;
    },
  ),
];

function refuse(error: unknown): never {
  if (!(error instanceof InvalidListEntries)) throw error;
  const errors = error.issues.map(({ index, field, message }) => ({ path: `entries.${index}.${field}`, message }));
  throw new ApiError('invalid_request', { errors, cause: error });
}
