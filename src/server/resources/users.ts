import type {
  Device,
  ImportUsersAnswer,
  ImportUsersRequest,
  Success,
  UpdateUserAnswer,
  UpdateUserRequest,
  UserDevicesQuery,
} from '../../wire/index.js';
import { isObject, pageOf } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type PagedList, pagedList } from '../paging.js';
import type { Transport } from '../transport.js';
import { isDevice, isImported, isSuccess, isUpdatedUser } from './checks.js';

const isPage = pageOf(isDevice);

/**
 * Users (interface specification 4.3). An id is the application's own (`external_id`), or else the service's (`_id`);
 * all reject with `not_found` for an unknown one.
 */
export class Users {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** GET /v2/user/:id/devices. Awaited, one page; with `for await`, all from that page on. */
  devices(id: string, query: UserDevicesQuery = {}, options?: CallOptions): PagedList<Device> {
    const path = '/v2/user/:id/devices';
    const load = (page: number) =>
      this.transport.call(
        { method: 'GET', path, parameters: { id }, query: { ...query, page }, isAnswer: isPage },
        options,
      );
    return pagedList(load, query.page);
  }

  /** POST /v2/user/:id/update. Null clears. */
  update(id: string, request: UpdateUserRequest, options?: WriteOptions): Promise<UpdateUserAnswer> {
    const path = '/v2/user/:id/update';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isUpdatedUser } as const;
    return this.transport.call(call, options);
  }

  /**
   * POST /v2/user/import: creates or updates up to 1,000 users, with their contacts, trusted addresses and devices. It
   * resolves where rows failed, too: read each `status`. A row that is imported again changes nothing. `timeoutMs` is
   * 60000 by default, whatever the client's is: the service takes as long for 1,000 users.
   */
  import(request: ImportUsersRequest, options?: WriteOptions): Promise<ImportUsersAnswer> {
    const path = '/v2/user/import';
    const timeoutMs = options?.timeoutMs ?? 60_000;
    return this.transport.call(
      { method: 'POST', path, body: request, isAnswer: isImported },
      { ...options, timeoutMs },
    );
  }

  /** POST /v2/user/:id/delete: erases the user and all that is personal about it. There is no way back. */
  delete(id: string, options?: WriteOptions): Promise<Success> {
    const path = '/v2/user/:id/delete';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isAnswer: isSuccess }, options);
  }

  /** GET /v2/user/:id/export: all that is held on the user, as one document. */
  export(id: string, options?: CallOptions): Promise<Record<string, unknown>> {
    const path = '/v2/user/:id/export';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isAnswer: isObject }, options);
  }
}
