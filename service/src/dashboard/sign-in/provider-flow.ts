import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import { UnsealError } from '../../ground/crypto/index.js';
import { hourMs } from '../../ground/time.js';
import { readAdminEmail } from '../../resources/admins/admins.js';
import type { ProvenIdentity } from '../../resources/admins/admit.js';
import { providerFlowSeconds } from '../../resources/admins/rules.js';
import { claimNamed, type ProviderOptions } from '../../resources/admins/sign-in-options.js';
import { perService, type Service } from '../../resources/service.js';

export const callbackPath = '/dashboard/sign-in/callback';
const flowContext = 'dashboard.provider_flow';
/** Requests to the provider must end before the deadline of the page. */
const timeoutSeconds = 3;
const maxNextLength = 1500;
/** How long the provider's metadata is used. */
const metadataMs = hourMs;

/** Session that is confirmed by signing in again. */
const confirmedSchema = z.object({ adminId: z.string(), sessionHash: z.string() });
const flowSchema = z.object({
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
  next: z.string().optional(),
  confirms: confirmedSchema.optional(),
});

/** Sign-in in progress, sealed in a cookie of the browser that began it. */
type Flow = z.output<typeof flowSchema>;
export type Confirms = z.output<typeof confirmedSchema>;

/** Why the provider did not prove who somebody is. */
export type FlowFailure =
  /** The sign-in was begun in another browser, long ago, or not at all. */
  | 'expired'
  /** The provider did not sign the person in, or the person cancelled. */
  | 'declined'
  | 'unavailable'
  /** The provider's answer is not what it has to be. */
  | 'invalid';

export class FlowError extends Error {
  readonly failure: FlowFailure;

  constructor(failure: FlowFailure, cause?: unknown) {
    super(`Sign-in with the provider failed: ${failure}`, { cause });
    this.name = 'FlowError';
    this.failure = failure;
  }
}

interface Discovered {
  readonly configuration: Configuration;
  readonly atMs: number;
}

const metadataOf = perService((): { discovered: Discovered | undefined } => ({ discovered: undefined }));

/**
 * Returns the provider's metadata, which is read at the first sign-in, so that the service starts without the provider.
 */
async function configurationOf(service: Service, provider: ProviderOptions): Promise<Configuration> {
  const cache = metadataOf(service);
  const nowMs = service.now().getTime();
  if (cache.discovered && nowMs - cache.discovered.atMs < metadataMs) return cache.discovered.configuration;
  const issuer = new URL(provider.issuer);
  const configuration = await discovery(issuer, provider.clientId, undefined, authentication(provider.clientSecret), {
    timeout: timeoutSeconds,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
  cache.discovered = { configuration, atMs: nowMs };
  return configuration;
}

/**
 * Sends the client's secret as the provider supports it. `client_secret_basic` is the default (OpenID Connect
 * Discovery, 3).
 */
function authentication(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest);
  };
}

export interface FlowStart {
  /** Page to open after sign-in. */
  readonly next: string | undefined;
  readonly confirms?: Confirms | undefined;
}

/**
 * Begins a sign-in. Returns the address at the provider, and the value of the cookie.
 *
 * @throws {FlowError}
 */
export async function beginFlow(
  service: Service,
  provider: ProviderOptions,
  { next, confirms }: FlowStart,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const flow: Flow = {
    issuer: provider.issuer,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    startedAt: service.now().getTime(),
    // Browsers drop cookies of more than 4 KB.
    next: next !== undefined && next.length <= maxNextLength ? next : undefined,
    confirms,
  };
  const configuration = await asFlow(() => configurationOf(service, provider));
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: service.publicUrl + callbackPath,
    scope: provider.scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(confirms && { prompt: 'login', max_age: '0' }),
  });
  return { url: url.href, cookie: service.vault.seal(JSON.stringify(flow), flowContext).toString('base64url') };
}

/**
 * Returns the sign-in that the cookie of this browser belongs to.
 *
 * @throws {FlowError} `expired` also for the answer to another sign-in, which somebody else may have begun.
 */
export function readFlow(
  { vault, now }: Pick<Service, 'vault' | 'now'>,
  provider: ProviderOptions,
  { cookie, state }: { readonly cookie: string | undefined; readonly state: string | undefined },
): Flow {
  const flow = cookie === undefined ? undefined : openFlow(vault, cookie);
  const isNow = flow !== undefined && now().getTime() - flow.startedAt < providerFlowSeconds * 1000;
  if (!isNow || flow.issuer !== provider.issuer || flow.state !== state) throw new FlowError('expired');
  return flow;
}

function openFlow(vault: Service['vault'], cookie: string): Flow | undefined {
  try {
    return flowSchema.parse(JSON.parse(vault.open(Buffer.from(cookie, 'base64url'), flowContext)));
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}

/**
 * Exchanges the code for the proven identity. The provider accepts each code once. The library checks issuer, audience,
 * signature, times and nonce of the ID token; for a confirmation, also that the person signed in since it was begun.
 *
 * @throws {FlowError}
 */
export function finishFlow(
  service: Service,
  provider: ProviderOptions,
  { flow, search }: { readonly flow: Flow; readonly search: string },
): Promise<ProvenIdentity> {
  return asFlow(async () => {
    const configuration = await configurationOf(service, provider);
    const sinceStart = Math.ceil((service.now().getTime() - flow.startedAt) / 1000);
    const tokens = await authorizationCodeGrant(configuration, new URL(service.publicUrl + callbackPath + search), {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
      ...(flow.confirms && { maxAge: sinceStart }),
    });
    const own = tokens.claims();
    if (!own) throw new FlowError('invalid');
    const isComplete = [own.email, own.email_verified, claimNamed(own, provider.rolesClaim)].every(
      (claim) => claim !== undefined,
    );
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = isComplete || !hasMore ? {} : await fetchUserInfo(configuration, tokens.access_token, own.sub);
    return identityOf(provider, { ...more, ...own });
  });
}

function identityOf(
  provider: ProviderOptions,
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
): ProvenIdentity {
  const { iss, sub, email, email_verified } = claims;
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? readAdminEmail(email) : undefined,
    isEmailVerified: email_verified === true || (email_verified === undefined && provider.trustsEmail),
    claim: claimNamed(claims, provider.rolesClaim),
  };
}

async function asFlow<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof FlowError ? error : new FlowError(failureOf(error), error);
  }
}

/** Codes of errors of the library that mean that the provider did not answer, or not with its metadata. */
const unavailableCodes: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];

function failureOf(error: unknown): FlowFailure {
  if (error instanceof AuthorizationResponseError) return 'declined';
  if (error instanceof ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'invalid';
  // `fetch` throws a TypeError if there is no connection.
  if (error instanceof TypeError) return 'unavailable';
  return error instanceof Error && 'code' in error && unavailableCodes.includes(error.code) ? 'unavailable' : 'invalid';
}
