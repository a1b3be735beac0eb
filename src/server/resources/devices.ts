import type {
  AttachRequest,
  AttachResponse,
  DetachRequest,
  Device,
  DeviceSuccess,
  DevicesQuery,
  DisownRequest,
  FingerprintRequest,
  FingerprintResponse,
  MetadataRequest,
  NonceRequest,
  NonceResponse,
  UpdateDeviceRequest,
} from '../../wire/index.js';
import { pageOf } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type PagedList, pagedList } from '../paging.js';
import type { Transport } from '../transport.js';
import { isAttached, isDevice, isDeviceSuccess, isFingerprintResponse, isNonce } from './checks.js';

const isPage = pageOf(isDevice);

/** Devices (docs/api.md). All methods with an ID reject with `not_found` for an unknown one. */
export class Devices {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Attaches a device to a user without an evaluation (POST /v2/device/attach). */
  attach(request: AttachRequest, options?: WriteOptions): Promise<AttachResponse> {
    const path = '/v2/device/attach';
    return this.transport.call({ method: 'POST', path, body: request, isResult: isAttached }, options);
  }

  /** Returns the fingerprint identity of a fingerprint (POST /v2/device/fingerprint). */
  fingerprint(request: FingerprintRequest, options?: WriteOptions): Promise<FingerprintResponse> {
    const path = '/v2/device/fingerprint';
    return this.transport.call({ method: 'POST', path, body: request, isResult: isFingerprintResponse }, options);
  }

  /**
   * Creates a nonce for the page's call of `collect` or `getProof` (POST /v2/device/nonce). Valid for one evaluation or
   * attachment, for 5 minutes. Pass the visitor's `ip`: each address has a limit of its own, so that nobody can use up the
   * nonces of all.
   */
  nonce(request?: NonceRequest, options?: CallOptions): Promise<NonceResponse> {
    const call = { method: 'POST', path: '/v2/device/nonce', body: request, isIdempotent: false } as const;
    return this.transport.call({ ...call, isResult: isNonce }, options);
  }

  /** Detaches a device from its user and removes its trust (POST /v2/device/:id/detach). */
  detach(id: string, request?: DetachRequest, options?: WriteOptions): Promise<DeviceSuccess> {
    const path = '/v2/device/:id/detach';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isDeviceSuccess } as const;
    return this.transport.call(call, options);
  }

  /**
   * Records that the user does not recognise a device (POST /v2/device/:id/disown): it is signed out and blocked, and later
   * evaluations of the user have the reason `account_compromised`.
   */
  disown(id: string, request?: DisownRequest, options?: WriteOptions): Promise<DeviceSuccess> {
    const path = '/v2/device/:id/disown';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isDeviceSuccess } as const;
    return this.transport.call(call, options);
  }

  /** Merges metadata key by key; null removes a key (POST /v2/device/:id/metadata). At most 16 KiB in total. */
  metadata(id: string, request: MetadataRequest, options?: WriteOptions): Promise<Device> {
    const path = '/v2/device/:id/metadata';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isDevice } as const;
    return this.transport.call(call, options);
  }

  /** Blocks, unblocks or names a device, or adds or removes its permanent trust (POST /v2/device/:id/update). */
  update(id: string, request: UpdateDeviceRequest, options?: WriteOptions): Promise<Device> {
    const path = '/v2/device/:id/update';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isDevice } as const;
    return this.transport.call(call, options);
  }

  /**
   * Lists the devices of all users with the same hardware (GET /v2/devices). `await` gives one page, and `for await` gives
   * all records from that page on. Empty for an unknown ID.
   */
  list(query: DevicesQuery, options?: CallOptions): PagedList<Device> {
    const path = '/v2/devices';
    const load = (page: number) =>
      this.transport.call({ method: 'GET', path, query: { ...query, page }, isResult: isPage }, options);
    return pagedList(load, query.page);
  }
}
