import { importJWK, type JWK, SignJWT } from 'jose';
import type { Verdict } from 'whorl/wire';
import { signDeviceToken } from '../secrets/index.js';
import type { Caller, Service } from '../service.js';

/** How long the customer's server may take to bring a browser's evaluation. */
export const evaluationLifetimeSeconds = 300;

interface Claims {
  readonly evaluation_id: string;
  readonly user: string;
  readonly action: string;
  readonly fingerprint_id: string;
  readonly verdict: Verdict;
}

const algorithm = 'ES256';
type SigningKey = { readonly kid: string; readonly key: Awaited<ReturnType<typeof importJWK>> };
/** Signing keys never change, so a process keeps what it has opened. */
const signingKeys = new Map<string, Promise<SigningKey>>();

/**
 * The token that a page brings to the customer's server: an evaluation in short, signed with the project's key (RFC
 * 7519). A hint, until the evaluation is consumed.
 */
export async function signEvaluationToken(service: Service, { project }: Caller, claims: Claims): Promise<string> {
  const { kid, key } = await signingKeyOf(service, project.id);
  const { evaluation_id, ...rest } = claims;
  const issuedAt = Math.floor(service.now().getTime() / 1000);
  return new SignJWT(rest)
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .setIssuer(service.publicUrl)
    .setAudience(project.id)
    .setJti(evaluation_id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + evaluationLifetimeSeconds)
    .sign(key);
}

/** The token with which a device's page hears of its detachment. */
export function tokenOfDevice(service: Service, { project }: Caller, deviceId: string): string {
  return signDeviceToken(service.vault, { device: deviceId, project: project.id }, service.now());
}

function signingKeyOf(service: Service, projectId: string): Promise<SigningKey> {
  const known = signingKeys.get(projectId) ?? openSigningKey(service, projectId);
  signingKeys.set(projectId, known);
  known.catch(() => signingKeys.delete(projectId));
  return known;
}

async function openSigningKey({ db, vault }: Service, projectId: string): Promise<SigningKey> {
  const { signing_key } = await db
    .selectFrom('projects')
    .select('signing_key')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const jwk: JWK = JSON.parse(vault.open(signing_key, 'project.signing_key'));
  return { kid: jwk.kid ?? '', key: await importJWK(jwk, algorithm) };
}
