import { getHash } from './get-hash.js';
import { type GetHashOptions, invalid, resolveOptions } from './options.js';
import { startProof } from './proof.js';

/**
 * Proves that this browser holds the key it held before, where a fingerprint can only resemble: resolves to what the
 * server sends to the service as `proof`, with the fingerprint that `getHash` gave for the same options. Call the two at
 * once: they share one reading of the browser, and the service takes a proof of another fingerprint for none.
 *
 * Resolves to undefined where a browser keeps no key: in a page on plain http, where storage is blocked or takes longer
 * than 200 ms, and in private windows of some browsers. That is no error, and the evaluation goes without. `evaluate`
 * does all of this by itself.
 *
 * @param nonce what `POST /v2/device/nonce` gave: for one evaluation or attachment, within 5 minutes.
 * @throws {WhorlError} (rejects with) `not_in_browser`, and `invalid_options` for a nonce that is no text, or for an
 *   option that cannot be.
 */
export async function getProof(nonce: string, options?: GetHashOptions): Promise<string | undefined> {
  const { scope } = resolveOptions(options);
  if (typeof nonce !== 'string' || !nonce) throw invalid('nonce', 'the nonce that the service returned');
  const prove = startProof(scope, async () => nonce);
  const [fingerprint] = await getHash(options);
  return prove(fingerprint);
}
