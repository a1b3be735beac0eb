import { getHash } from './get-hash.js';
import { type GetHashOptions, invalid, resolveOptions } from './options.js';
import { startProof } from './proof.js';

/**
 * Creates a proof that this browser holds the same key as before. A fingerprint can only resemble an earlier one.
 * Resolves to the value that the server sends to the service as `proof`, together with the fingerprint that `getHash`
 * returned for the same options. Call both at the same time: they share one reading of the browser, and the service
 * ignores a proof made for another fingerprint.
 *
 * Resolves to undefined if the browser stores no key: on plain http, if storage is blocked or takes longer than 200 ms,
 * and in private windows of some browsers. That is not an error, and the evaluation works without a proof. `evaluate`
 * does all of this by itself.
 *
 * @param nonce the result of `POST /v2/device/nonce`, valid for one evaluation or attachment within 5 minutes.
 * @throws {WhorlError} (rejects with) `not_in_browser`, and `invalid_options` for a nonce that is not a string or an
 *   option with an invalid value.
 */
export async function getProof(nonce: string, options?: GetHashOptions): Promise<string | undefined> {
  const { scope } = resolveOptions(options);
  if (typeof nonce !== 'string' || !nonce) throw invalid('nonce', 'the nonce that the service returned');
  const prove = startProof(scope, async () => nonce);
  const [fingerprint] = await getHash(options);
  return prove(fingerprint);
}
