import { SignJWT } from 'jose';
import type { Verdict } from 'whorl/wire';
import { signDeviceToken } from '../ground/crypto/index.js';
import { evaluationLifetimeSeconds, signingAlgorithm, signingKeyOf } from '../resources/projects/signing-keys.js';
import type { Caller, Service } from '../resources/service.js';

export { evaluationLifetimeSeconds } from '../resources/projects/signing-keys.js';

interface EvaluationPayload {
  readonly evaluation_id: string;
  readonly user: string;
  readonly action: string;
  readonly fingerprint_id: string;
  readonly verdict: Verdict;
  readonly outcome?: 'failed';
}

/**
 * Returns the signed token that a page sends to the customer's server: a summary of the evaluation, signed with the
 * project's key (RFC 7519). It is only a hint until the evaluation is consumed.
 */
export async function signEvaluationToken(
  service: Service,
  { project }: Caller,
  payload: EvaluationPayload,
): Promise<string> {
  const { kid, key } = await signingKeyOf(service, project.id);
  const { evaluation_id, ...rest } = payload;
  const issuedAt = Math.floor(service.now().getTime() / 1000);
  return new SignJWT(rest)
    .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
    .setIssuer(service.publicUrl)
    .setAudience(project.id)
    .setJti(evaluation_id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + evaluationLifetimeSeconds)
    .sign(key);
}

/** Returns the token that a device's page uses to learn when the device is detached. */
export function tokenOfDevice(service: Service, { project }: Caller, deviceId: string): string {
  return signDeviceToken(service.vault, { device: deviceId, project: project.id }, service.now());
}
