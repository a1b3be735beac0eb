import { getHash } from './get-hash.js';
import { getProof } from './get-proof.js';
import type { GetHashOptions } from './options.js';
import { ownFields } from './own-fields.js';
import { version } from './version.js';

/** Options of `collect`. */
export interface CollectOptions extends GetHashOptions {
  /**
   * The nonce from `POST /v2/device/nonce`, which your server requests with `whorl.devices.nonce()`. Valid for one
   * evaluation or attachment, for 5 minutes. Default: none, and no proof is created.
   */
  readonly nonce?: string | undefined;
}

/** The fields that describe the browser in the requests `POST /v2/device/evaluate` and `POST /v2/device/attach`. */
export interface Collected {
  /** The current fingerprint. */
  readonly fingerprint: string;
  /** The last saved fingerprint, or '' on a browser's first visit. The service treats '' as absent. */
  readonly last_fingerprint: string;
  /** The version of this package. */
  readonly version: string;
  /**
   * Proves that this browser holds its key (docs/proof.md). Absent if no nonce was given or the browser stores no key.
   */
  readonly proof?: string;
}

/**
 * Reads the browser and resolves to the body fields that the service accepts in an evaluation or attachment. Send them
 * to the application's own server. Takes as long as `getHash`, and shares its reading of the browser.
 *
 * With a `nonce`, the result includes `proof`. Without a proof, the service cannot tell a device from a copy of its
 * fingerprint. If the browser stores no key (plain http, blocked storage), `proof` is left out and the call succeeds.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option with
 *   an invalid value.
 */
export async function collect(options: CollectOptions = {}): Promise<Collected> {
  const { nonce, ...others } = ownFields(options);
  const [[fingerprint, last_fingerprint], proof] = await Promise.all([
    getHash(others),
    nonce === undefined ? undefined : getProof(nonce, others),
  ]);
  return { fingerprint, last_fingerprint, version, ...(proof && { proof }) };
}
