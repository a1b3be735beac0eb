import type {
  Challenge,
  ChallengeDevices,
  ChallengeSummary,
  DeviceHash,
  DeviceSuccess,
  KickRequest,
  ListChallengesQuery,
  SendAnswer,
  SendChallengeRequest,
  Success,
  VerifyAnswer,
  VerifyChallengeRequest,
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

/** Challenges (interface specification 4.1). All reject with `not_found` for an unknown id. */
export class Challenges {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** GET /v2/challenges: newest first. Awaited, one page; with `for await`, all from that page on. */
  list(query: ListChallengesQuery = {}, options?: CallOptions): PagedList<ChallengeSummary> {
    const load = (page: number) =>
      this.transport.call(
        { method: 'GET', path: '/v2/challenges', query: { ...query, page }, isAnswer: isPage },
        options,
      );
    return pagedList(load, query.page);
  }

  /** GET /v2/challenges/:id. */
  retrieve(id: string, options?: CallOptions): Promise<Challenge> {
    const path = '/v2/challenges/:id';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isAnswer: isChallenge }, options);
  }

  /**
   * POST /v2/challenges/:id/send: sends a new code, and voids the one before. Rejects with `no_channel` where the user
   * has no address, `rate_limited` where the last code is less than 30 s old or too many were sent, `challenge_closed`.
   */
  send(id: string, request?: SendChallengeRequest, options?: WriteOptions): Promise<SendAnswer> {
    const path = '/v2/challenges/:id/send';
    return this.transport.call({ method: 'POST', path, parameters: { id }, body: request, isAnswer: isSent }, options);
  }

  /**
   * POST /v2/challenges/:id/verify. A wrong code resolves to `success: false`. Rejects with `code_not_sent`,
   * `code_expired` after 10 minutes, `too_many_attempts` after 5 wrong codes, `challenge_closed`.
   */
  verify(id: string, request: VerifyChallengeRequest, options?: WriteOptions): Promise<VerifyAnswer> {
    const path = '/v2/challenges/:id/verify';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isVerified } as const;
    return this.transport.call(call, options);
  }

  /**
   * POST /v2/challenges/:id/complete: once the user is let in. Trusts the device and the address from now on. Rejects
   * with `challenge_not_verified` where a code was sent and not verified, `challenge_closed`.
   */
  complete(id: string, options?: WriteOptions): Promise<Success> {
    const path = '/v2/challenges/:id/complete';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isAnswer: isSuccess }, options);
  }

  /** GET /v2/challenges/:id/devices: the user's devices that count towards the limit. */
  devices(id: string, options?: CallOptions): Promise<ChallengeDevices> {
    const path = '/v2/challenges/:id/devices';
    return this.transport.call({ method: 'GET', path, parameters: { id }, isAnswer: isChallengeDevices }, options);
  }

  /**
   * POST /v2/challenges/:id/kick: detaches another device of the user, to make room. Rejects with
   * `challenge_not_verified` as `complete` does, `challenge_closed`.
   */
  kick(id: string, request: KickRequest, options?: WriteOptions): Promise<DeviceSuccess> {
    const path = '/v2/challenges/:id/kick';
    const call = { method: 'POST', path, parameters: { id }, body: request, isAnswer: isDeviceSuccess } as const;
    return this.transport.call(call, options);
  }

  /** POST /v2/challenges/:id/open: the user sees the challenge now. */
  open(id: string, options?: WriteOptions): Promise<Challenge> {
    const path = '/v2/challenges/:id/open';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isAnswer: isChallenge }, options);
  }

  /** POST /v2/challenges/:id/skip: the user does without. Nothing is trusted. */
  skip(id: string, options?: WriteOptions): Promise<Success> {
    const path = '/v2/challenges/:id/skip';
    return this.transport.call({ method: 'POST', path, parameters: { id }, isAnswer: isSuccess }, options);
  }

  /** GET /v2/challenges/:id/devices/:device/hash: the newest fingerprint of one of the user's devices. */
  deviceHash(id: string, device: string, options?: CallOptions): Promise<DeviceHash> {
    const path = '/v2/challenges/:id/devices/:device/hash';
    return this.transport.call({ method: 'GET', path, parameters: { id, device }, isAnswer: isDeviceHash }, options);
  }
}
