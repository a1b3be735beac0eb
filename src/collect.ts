import { getHash } from './get-hash.js';
import { getProof } from './get-proof.js';
import type { GetHashOptions } from './options.js';
import { version } from './version.js';

/** Options of `collect`. */
export interface CollectOptions extends GetHashOptions {
  /**
   * What `POST /v2/device/nonce` returned, which your server requests with `whorl.devices.nonce()`. Valid for one
   * evaluation or attachment, for 5 minutes. Default none: no proof is made.
   */
  readonly nonce?: string | undefined;
}

/** The fields that describe the browser in the requests `POST /v2/device/evaluate` and `POST /v2/device/attach`. */
export interface Collected {
  /** The current fingerprint. */
  readonly fingerprint: string;
  /** The last saved fingerprint; '' on a browser's first visit, which the service takes as absent. */
  readonly last_fingerprint: string;
  /** The version of this package. */
  readonly version: string;
  /** Shows that this browser holds its key (docs/proof.md). Left out without a nonce, and where the browser keeps no key. */
  readonly proof?: string;
}

/**
 * Reads the browser and resolves to the fields that the service takes in an evaluation or attachment, for the body of a
 * request to the application's own server. It takes as long as `getHash`, and shares its reading of the browser.
 *
 * With a `nonce`, `proof` is among the fields. Without a proof, the service cannot tell a device from a copy of its
 * fingerprint. Where the browser keeps no key (plain http, blocked storage), the proof is left out and nothing fails.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option with
 *   an invalid value.
 */
export async function collect({ nonce, ...options }: CollectOptions = {}): Promise<Collected> {
  const [[fingerprint, last_fingerprint], proof] = await Promise.all([
    getHash(options),
    nonce === undefined ? undefined : getProof(nonce, options),
  ]);
  return { fingerprint, last_fingerprint, version, ...(proof && { proof }) };
}
