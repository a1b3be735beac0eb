import type {
  Device,
  ImportUsersRequest,
  ImportUsersResponse,
  SearchUsersRequest,
  Success,
  UpdateUserRequest,
  UpdateUserResponse,
  User,
  UserDevicesQuery,
  UsersQuery,
} from '../../wire/index.js';
import { cursorPageOf, isObject, pageOf } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type CursorList, cursorList, type PagedList, pagedList } from '../paging.js';
import type { Transport } from '../transport.js';
import { isDevice, isImported, isSuccess, isUpdatedUser, isUser } from './checks.js';

const isPage = pageOf(isDevice);
const isUserPage = cursorPageOf(isUser);

/**
 * Users (docs/api.md). An ID is the application's own (`external_id`), or otherwise the service's (`_id`). All methods
 * with an ID reject with `not_found` for an unknown one, unless stated otherwise.
 */
export class Users {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Lists the users that match all filters, the newest first (GET /v2/users). `await` gives one page, and `for await`
   * gives all users from that page on.
   */
  list(query: UsersQuery = {}, options?: CallOptions): CursorList<User> {
    const load = (cursor: string | undefined) => {
      const page = { ...query, ...(cursor !== undefined && { cursor }) };
      return this.transport.call({ method: 'GET', path: '/v2/users', query: page, isResult: isUserPage }, options);
    };
    return cursorList(load, query.cursor);
  }

  /**
   * Finds the users with an email address, a phone number or both, the newest first (POST /v2/users/search). `await`
   * gives one page, and `for await` gives all users from that page on.
   */
  search(request: SearchUsersRequest, options?: CallOptions): CursorList<User> {
    const load = (cursor: string | undefined) => {
      const body = { ...request, ...(cursor !== undefined && { cursor }) };
      const call = { method: 'POST', path: '/v2/users/search', body, isIdempotent: false } as const;
      return this.transport.call({ ...call, isResult: isUserPage }, options);
    };
    return cursorList(load, request.cursor);
  }

  /**
   * Lists a user's devices (GET /v2/user/:id/devices). `await` gives one page, and `for await` gives all records from
   * that page on.
   */
  devices(id: string, query: UserDevicesQuery = {}, options?: CallOptions): PagedList<Device> {
    const path = '/v2/user/:id/devices';
    const load = (page: number) =>
      this.transport.call(
        { method: 'GET', path, parameters: { id }, query: { ...query, page }, isResult: isPage },
        options,
      );
    return pagedList(load, query.page);
  }

  /** Updates a user (POST /v2/user/:id/update). Null clears a field. */
  update(id: string, request: UpdateUserRequest, options?: WriteOptions): Promise<UpdateUserResponse> {
    const path = '/v2/user/:id/update';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isUpdatedUser } as const;
    return this.transport.call(call, options);
  }

  /**
   * Creates or updates up to 1,000 users, with their contacts, trusted addresses and devices (POST /v2/user/import).
   * Resolves even if rows failed: check each `status`. Importing the same row again changes nothing. `timeoutMs`
   * defaults to 60000, regardless of the client's option, because the service may need that long for 1,000 users.
   */
  import(request: ImportUsersRequest, options?: WriteOptions): Promise<ImportUsersResponse> {
    const path = '/v2/user/import';
    const timeoutMs = options?.timeoutMs ?? 60_000;
    return this.transport.call(
      { method: 'POST', path, body: request, isResult: isImported },
      { ...options, timeoutMs },
    );
  }

  /** Erases the user and all of the user's personal data (POST /v2/user/:id/delete). This cannot be undone. */
  delete(id: string, options?: WriteOptions): Promise<Success> {
    const path = '/v2/user/:id/delete';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isResult: isSuccess }, options);
  }

  /** Returns all data about the user as one document (GET /v2/user/:id/export). */
  export(id: string, options?: CallOptions): Promise<Record<string, unknown>> {
    const path = '/v2/user/:id/export';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isResult: isObject }, options);
  }
}
