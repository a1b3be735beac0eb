import { leaveFor } from './evaluate/leave.js';
import { checkOthers, type EvaluateOptions, textsOf } from './evaluate/options.js';
import { requestEvaluation, requestNonce } from './evaluate/request.js';
import { untilStopped } from './evaluate/until-stopped.js';
import { getHash } from './get-hash.js';
import { resolveOptions } from './options.js';
import { startProof } from './proof.js';
import { acknowledge } from './storage/index.js';
import { version } from './version.js';
import type { ClaimedEvaluation } from './wire/answers.js';

/**
 * Reads the browser, asks the service for a verdict on what the user is about to do (interface specification, 4.4),
 * and resolves to its answer. The answer is a claim, since all in a page can be forged: the application's server
 * verifies and consumes it before it acts on it.
 *
 * Where this browser keeps a key, the request goes with a proof of it (docs/proof.md): its nonce is asked for while the
 * browser is read, and where the service gives none within 2 seconds, the request goes without.
 *
 * Once the service has answered, it knows of a change of the fingerprint, and the last one moves on. A challenge is
 * handed to `onChallenge`, and awaited; without one, the page goes to the project's managed challenge page, and the call
 * never settles. Nothing is tried twice, and nothing is decided where no verdict came.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser`, `invalid_options`, `network`, `timeout`, `aborted`, `http` or
 *   `navigation`. What `onChallenge` throws comes through as it is.
 */
export async function evaluate(options: EvaluateOptions): Promise<ClaimedEvaluation> {
  const { scope } = resolveOptions(options);
  const given = { ...options };
  const { clientId, baseUrl, returnUrl, ...texts } = textsOf(given);
  checkOthers(given);
  const { metadata, onChallenge, signal, timeout = 10_000 } = given;
  const evaluation = await untilStopped(
    async (stopped) => {
      const prove = startProof(scope, () => requestNonce(baseUrl, clientId, stopped));
      const [fingerprint, last_fingerprint] = await getHash(options);
      const proof = await prove(fingerprint);
      const request = { ...texts, metadata, fingerprint, last_fingerprint, version, proof };
      const answer = await requestEvaluation(baseUrl, clientId, request, stopped);
      await acknowledge(scope, fingerprint, last_fingerprint);
      return answer;
    },
    timeout,
    signal,
  );
  const { challenge_id, challenge_url } = evaluation;
  if (challenge_id && onChallenge) await onChallenge({ challenge: { _id: challenge_id }, evaluation });
  // The address of the page has a query.
  else if (challenge_url) await leaveFor(`${challenge_url}&return_url=${encodeURIComponent(returnUrl)}`);
  return evaluation;
}
