import type {
  Challenge,
  ChallengeDevices,
  ChallengeSummary,
  CompleteChallengeRequest,
  DeviceHash,
  DeviceSuccess,
  KickRequest,
  ListChallengesQuery,
  SendChallengeRequest,
  SendResponse,
  Success,
  VerifyChallengeRequest,
  VerifyResponse,
} from '../../wire/index.js';
import { pageOf } from '../checks.js';
import type { CallOptions, WriteOptions } from '../options.js';
import { type PagedList, pagedList } from '../paging.js';
import type { Transport } from '../transport.js';
import {
  isChallenge,
  isChallengeDevices,
  isChallengeSummary,
  isDeviceHash,
  isDeviceSuccess,
  isSent,
  isSuccess,
  isVerified,
} from './checks.js';

const isPage = pageOf(isChallengeSummary);

/** Challenges (docs/api.md). All methods with an ID reject with `not_found` for an unknown one. */
export class Challenges {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Lists challenges, newest first (GET /v2/challenges). `await` gives one page, and `for await` gives all records from
   * that page on.
   */
  list(query: ListChallengesQuery = {}, options?: CallOptions): PagedList<ChallengeSummary> {
    const load = (page: number) =>
      this.transport.call(
        { method: 'GET', path: '/v2/challenges', query: { ...query, page }, isResult: isPage },
        options,
      );
    return pagedList(load, query.page);
  }

  /** Returns a challenge (GET /v2/challenges/:id). */
  retrieve(id: string, options?: CallOptions): Promise<Challenge> {
    const path = '/v2/challenges/:id';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isResult: isChallenge }, options);
  }

  /**
   * Sends a new code and invalidates the previous one (POST /v2/challenges/:id/send). Rejects with `no_channel` if the
   * user has no address, `own_factor_required` if only your own factor may be used, `rate_limited` if the last code was
   * sent less than 30 s ago or too many were sent, `challenge_closed`.
   */
  send(id: string, request?: SendChallengeRequest, options?: WriteOptions): Promise<SendResponse> {
    const path = '/v2/challenges/:id/send';
    return this.transport.call({ method: 'POST', path, parameters: { id }, body: request, isResult: isSent }, options);
  }

  /**
   * Verifies a code (POST /v2/challenges/:id/verify). Resolves to `success: false` for a wrong code. Rejects with
   * `code_not_sent`, `code_expired` after 10 minutes, `too_many_attempts` after 5 wrong codes, `challenge_closed`.
   */
  verify(id: string, request: VerifyChallengeRequest, options?: WriteOptions): Promise<VerifyResponse> {
    const path = '/v2/challenges/:id/verify';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isVerified } as const;
    return this.transport.call(call, options);
  }

  /**
   * Completes a challenge (POST /v2/challenges/:id/complete). Call it when you let the user in. From then on, the
   * device and the address are trusted. `method` says by which factor of your own you verified the user, such as
   * `passkey`. Without it, rejects with `challenge_not_verified` if a code was sent and not verified. Rejects with
   * `challenge_closed`.
   */
  complete(id: string, request?: CompleteChallengeRequest, options?: WriteOptions): Promise<Success> {
    const path = '/v2/challenges/:id/complete';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isSuccess } as const;
    return this.transport.call(call, options);
  }

  /** Returns the user's devices that count towards the limit (GET /v2/challenges/:id/devices). */
  devices(id: string, options?: CallOptions): Promise<ChallengeDevices> {
    const path = '/v2/challenges/:id/devices';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isResult: isChallengeDevices }, options);
  }

  /**
   * Detaches another device of the user to make room (POST /v2/challenges/:id/kick). Rejects with
   * `challenge_not_verified` as `complete` does, `challenge_closed`.
   */
  kick(id: string, request: KickRequest, options?: WriteOptions): Promise<DeviceSuccess> {
    const path = '/v2/challenges/:id/kick';
    const call = { method: 'POST', path, parameters: { id }, body: request, isResult: isDeviceSuccess } as const;
    return this.transport.call(call, options);
  }

  /** Records that the user sees the challenge (POST /v2/challenges/:id/open). */
  open(id: string, options?: WriteOptions): Promise<Challenge> {
    const path = '/v2/challenges/:id/open';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isResult: isChallenge }, options);
  }

  /** Skips a challenge (POST /v2/challenges/:id/skip). Nothing becomes trusted. */
  skip(id: string, options?: WriteOptions): Promise<Success> {
    const path = '/v2/challenges/:id/skip';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isResult: isSuccess }, options);
  }

  /** Returns the newest fingerprint of one of the user's devices (GET /v2/challenges/:id/devices/:device/hash). */
  deviceHash(id: string, device: string, options?: CallOptions): Promise<DeviceHash> {
    const path = '/v2/challenges/:id/devices/:device/hash';
    return this.transport.call({ method: 'GET', path, parameters: { id, device }, isResult: isDeviceHash }, options);
  }
}
