import type {
  AttachAnswer,
  AttachRequest,
  DetachRequest,
  Device,
  DeviceSuccess,
  FingerprintAnswer,
  FingerprintRequest,
  MetadataRequest,
  NonceAnswer,
  UpdateDeviceRequest,
} from '../../wire/index.js';
import type { WriteOptions } from '../options.js';
import type { Transport } from '../transport.js';
import { isAttached, isDevice, isDeviceSuccess, isFingerprintAnswer, isNonce } from './checks.js';

/** Devices (interface specification 4.2). All that take an id reject with `not_found` for an unknown one. */
export class Devices {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** POST /v2/device/attach: makes a device one of the user's, without an evaluation. */
  attach(request: AttachRequest, options?: WriteOptions): Promise<AttachAnswer> {
    const path = '/v2/device/attach';
    return this.transport.call({ method: 'POST', path, body: request, isAnswer: isAttached }, options);
  }

  /** POST /v2/device/fingerprint: which browser a fingerprint is of, as far as the service knows it. */
  fingerprint(request: FingerprintRequest, options?: WriteOptions): Promise<FingerprintAnswer> {
    const path = '/v2/device/fingerprint';
    return this.transport.call({ method: 'POST', path, body: request, isAnswer: isFingerprintAnswer }, options);
  }

  /**
   * POST /v2/device/nonce: what the page calls `getProof` with, before it sends you the fingerprint. Good for one
   * evaluation or attachment, within 5 minutes.
   */
  nonce(options?: WriteOptions): Promise<NonceAnswer> {
    return this.transport.call({ method: 'POST', path: '/v2/device/nonce', isAnswer: isNonce }, options);
  }

  /** POST /v2/device/:id/detach: takes a device from its user; its trust goes with it. */
  detach(id: string, request?: DetachRequest, options?: WriteOptions): Promise<DeviceSuccess> {
    const path = '/v2/device/:id/detach';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isDeviceSuccess } as const;
    return this.transport.call(call, options);
  }

  /** POST /v2/device/:id/metadata: merges key by key; null removes a key. At most 16 KiB in all. */
  metadata(id: string, request: MetadataRequest, options?: WriteOptions): Promise<Device> {
    const path = '/v2/device/:id/metadata';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isDevice } as const;
    return this.transport.call(call, options);
  }

  /** POST /v2/device/:id/update: blocks it, or lets it in again; trusts it for good, or no more. */
  update(id: string, request: UpdateDeviceRequest, options?: WriteOptions): Promise<Device> {
    const path = '/v2/device/:id/update';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isDevice } as const;
    return this.transport.call(call, options);
  }
}
