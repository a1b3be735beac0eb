import { leaveFor } from './evaluate/leave.js';
import { checkOthers, type EvaluateOptions, textsOf } from './evaluate/options.js';
import { requestEvaluation, requestNonce } from './evaluate/request.js';
import { untilStopped } from './evaluate/until-stopped.js';
import { getHash } from './get-hash.js';
import { resolveOptions } from './options.js';
import { ownFields } from './own-fields.js';
import { startProof } from './proof.js';
import { acknowledge } from './storage/index.js';
import { version } from './version.js';
import type { ClaimedEvaluation } from './wire/evaluate.js';

/**
 * Reads the browser, requests a verdict on what the user is about to do (`POST /v2/device/evaluate`, docs/api.md), and
 * resolves to the response. The result is a claim, because everything in a page can be forged. The application's server
 * must verify and consume it before acting on it.
 *
 * If this browser holds a key, the request includes a proof (docs/proof.md). Its nonce is requested while the browser
 * is read. If the service returns no nonce within 2 seconds, the request is sent without a proof.
 *
 * Once the service has responded, it knows about any change of the fingerprint, and the last saved fingerprint is
 * updated. If a challenge was created, `onChallenge` is called and awaited. Without `onChallenge`, the page navigates
 * to the project's managed challenge page, and the promise never settles. Nothing is retried, and there is no default
 * verdict if the request fails.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser`, `invalid_options`, `network`, `timeout`, `aborted`, `http` or
 *   `navigation`. Errors that `onChallenge` throws are passed on unchanged.
 */
export async function evaluate(options: EvaluateOptions): Promise<ClaimedEvaluation> {
  const { scope } = resolveOptions(options);
  const given = ownFields(options);
  const { clientId, baseUrl, returnUrl, ...texts } = textsOf(given);
  checkOthers(given);
  const { metadata, onChallenge, signal, timeout = 10_000 } = given;
  const evaluation = await untilStopped(
    async (stopped) => {
      const prove = startProof(scope, () => requestNonce(baseUrl, clientId, stopped));
      const [fingerprint, last_fingerprint] = await getHash(options);
      const proof = await prove(fingerprint);
      const request = { ...texts, metadata, fingerprint, last_fingerprint, version, proof };
      const received = await requestEvaluation(baseUrl, clientId, request, stopped);
      await acknowledge(scope, fingerprint, last_fingerprint);
      return received;
    },
    timeout,
    signal,
  );
  const { challenge_id, challenge_url } = evaluation;
  if (challenge_id && onChallenge) await onChallenge({ challenge: { _id: challenge_id }, evaluation });
  // The URL of the challenge page already has a query.
  else if (challenge_url) await leaveFor(`${challenge_url}&return_url=${encodeURIComponent(returnUrl)}`);
  return evaluation;
}
