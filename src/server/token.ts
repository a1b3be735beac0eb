import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import type { TokenPayload } from '../wire/index.js';
import { isNumber, isText, isVerdict, withFields } from './checks.js';
import { WhorlArgumentError, WhorlClientError, WhorlConnectionError, WhorlVerificationError } from './errors.js';
import { checkBaseUrl } from './options.js';
import { createTransport, type Transport } from './transport.js';

/** What a token must be valid for. */
export interface TokenExpectations {
  /** The ID of the project. */
  readonly audience: string;
  /** The service's own base URL (its setting `PUBLIC_URL`). Default: `baseUrl`. */
  readonly issuer?: string | undefined;
  /** The action that is about to be carried out. Default: any. */
  readonly action?: string | undefined;
  /** The user who is about to act. Default: any. */
  readonly user?: string | undefined;
}

/** Options of `verifyToken`. */
export interface VerifyTokenOptions extends TokenExpectations {
  /** The URL of the service, such as `https://whorl.example.com`. */
  readonly baseUrl: string | undefined;
}

/** Verifies tokens of one service and caches its keys. */
export interface TokenVerifier {
  verify(token: string, expected: TokenExpectations): Promise<TokenPayload>;
}

const isKeySet = withFields<{ keys: unknown }>({ keys: Array.isArray });
const isTokenPayload = withFields<TokenPayload & JWTPayload>({
  iss: isText,
  aud: isText,
  exp: isNumber,
  iat: isNumber,
  jti: isText,
  user: isText,
  action: isText,
  fingerprint_id: isText,
  verdict: isVerdict,
});

const verifiers = new Map<string, TokenVerifier>();

/**
 * Verifies the token that `evaluate` returned in the page: a JSON Web Token that is signed with ES256 by a key that the
 * service publishes at `/.well-known/jwks.json`, has not expired, and meets the expectations. The token is only a hint
 * until its evaluation (`jti`) is consumed, which makes it take effect exactly once.
 *
 * Keys are cached for 10 minutes. A token with an unknown key makes the client fetch them again, at most once in 30
 * seconds.
 *
 * @throws {WhorlVerificationError} for a token that cannot be trusted, or of an attempt that was reported as failed.
 * @throws {WhorlApiError | WhorlConnectionError} if the keys cannot be fetched.
 */
export async function verifyToken(token: string, { baseUrl, ...expected }: VerifyTokenOptions): Promise<TokenPayload> {
  const checked = checkBaseUrl(baseUrl);
  const known = verifiers.get(checked);
  if (known) return known.verify(token, expected);
  const transport = createTransport({ baseUrl: checked, timeoutMs: 10_000, retries: 2 });
  const verifier = createTokenVerifier(checked, transport);
  verifiers.set(checked, verifier);
  return verifier.verify(token, expected);
}

/** Creates a verifier. Its transport fetches the keys and has no secret. */
export function createTokenVerifier(baseUrl: string, transport: Transport): TokenVerifier {
  const path = '/.well-known/jwks.json';
  const keys = createRemoteJWKSet(new URL(baseUrl + path), {
    // The given signal is not used, because the transport has its own deadline and retries.
    [customFetch]: async () => Response.json(await transport.call({ method: 'GET', path, isResult: isKeySet })),
  });

  return {
    async verify(token, expected) {
      const { audience, issuer = baseUrl, action, user } = expected;
      // jose would accept any audience if it is absent.
      if (typeof audience !== 'string' || !audience) {
        throw new WhorlArgumentError('audience must be the id of the project.');
      }
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['ES256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'jti'],
      }).catch((error: unknown) => {
        throw errorOf(error, { ...expected, baseUrl });
      });
      if (!isTokenPayload(payload))
        throw new WhorlVerificationError('malformed', 'The token has a missing or invalid claim.');
      if (action !== undefined && payload.action !== action) {
        throw mismatch(`The token is for the action "${payload.action}", but action is "${action}".`);
      }
      if (payload.outcome === 'failed') throw mismatch('The token is for an attempt that the page reported as failed.');
      // User IDs are personal data and must not appear in messages.
      if (user !== undefined && payload.user !== user) {
        throw mismatch('The token is for another user than the one in the user option.');
      }
      return payload;
    },
  };
}

/** Creates the error without a cause, because jose's error contains all claims, including the user. */
function mismatch(message: string): WhorlVerificationError {
  return new WhorlVerificationError('claim_mismatch', message);
}

function errorOf(error: unknown, expected: VerifyTokenOptions): WhorlClientError {
  if (error instanceof WhorlClientError) return error;
  if (error instanceof errors.JWTExpired) {
    return new WhorlVerificationError(
      'expired',
      'The token has expired. It is valid for 5 minutes: call evaluate in the page again.',
    );
  }
  if (error instanceof errors.JWTClaimValidationFailed) return mismatch(messageOf(error, expected));
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return new WhorlVerificationError('signature_mismatch', "The token is not signed by one of the service's keys.");
  }
  if (error instanceof errors.JWKSInvalid) {
    return new WhorlConnectionError('invalid_response', "The service's keys are not a JSON Web Key Set.", error);
  }
  return new WhorlVerificationError('malformed', 'The token is not an ES256 JSON Web Token.', error);
}

/** Returns what is wrong with a claim of a signed token: the value found, the value expected, and its option. */
function messageOf(
  { claim, payload }: errors.JWTClaimValidationFailed,
  { audience, issuer, baseUrl }: VerifyTokenOptions,
): string {
  if (claim === 'aud') return `The token is for the project "${payload.aud}", but audience is "${audience}".`;
  if (claim !== 'iss') return `The token has no valid ${claim} claim.`;
  const [option, value] = issuer === undefined ? ['baseUrl', baseUrl] : ['issuer', issuer];
  return `The token was issued by "${payload.iss}", but ${option} is "${value}". If both are your service, set issuer to the first.`;
}
