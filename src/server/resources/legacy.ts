import type {
  Access,
  AccessHistoryQuery,
  Device,
  LegacyDevicesQuery,
  MetadataRequest,
  Success,
} from '../../wire/index.js';
import { listOf, pageOf } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type PagedList, pagedList } from '../paging.js';
import type { Transport } from '../transport.js';
import { isAccess, isDevice, isSuccess } from './checks.js';

const isPage = pageOf(isAccess);
const isDeviceList = listOf(isDevice);

/** The endpoints under /v2/proj (docs/api.md). Two are deprecated. */
export class Legacy {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Lists accesses, newest first (GET /v2/proj/access-history). `await` gives one page, and `for await` gives all
   * records from that page on.
   */
  accessHistory(query: AccessHistoryQuery = {}, options?: CallOptions): PagedList<Access> {
    const load = (page: number) =>
      this.transport.call(
        { method: 'GET', path: '/v2/proj/access-history', query: { ...query, page }, isResult: isPage },
        options,
      );
    return pagedList(load, query.page);
  }

  /**
   * Returns all devices of a user, not paged (GET /v2/proj/user/:id/devices).
   *
   * @deprecated Call `users.devices`.
   */
  userDevices(id: string, query: LegacyDevicesQuery = {}, options?: CallOptions): Promise<Device[]> {
    const path = '/v2/proj/user/:id/devices';
    return this.transport.call({ method: 'GET', path, parameters: { id }, query, isResult: isDeviceList }, options);
  }

  /** Completes a challenge under its older name, identification (POST /v2/proj/identification/:id/complete). */
  completeIdentification(id: string, options?: WriteOptions): Promise<Success> {
    const path = '/v2/proj/identification/:id/complete';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isResult: isSuccess }, options);
  }

  /**
   * Merges a device's metadata (POST /v2/proj/device/:device/metadata).
   *
   * @deprecated Call `devices.metadata`.
   */
  deviceMetadata(device: string, request: MetadataRequest, options?: WriteOptions): Promise<Device> {
    const path = '/v2/proj/device/:device/metadata';
    const call = { method: 'POST', path, parameters: { device }, body: request, isResult: isDevice } as const;
    return this.transport.call(call, options);
  }
}
