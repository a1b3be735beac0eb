import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import type { TokenPayload } from '../wire/index.js';
import { isNumber, isText, isVerdict, withFields } from './checks.js';
import { WhorlArgumentError, WhorlConnectionError, WhorlError, WhorlVerificationError } from './errors.js';
import { checkBaseUrl } from './options.js';
import { createTransport, type Transport } from './transport.js';

/** What a token has to be about. */
export interface TokenExpectations {
  /** The id of the project. */
  readonly audience: string;
  /** The service's own base address, its setting `PUBLIC_URL`. Default: the address that it is called at, `baseUrl`. */
  readonly issuer?: string | undefined;
  /** The action that is about to be carried out. Default: any. */
  readonly action?: string | undefined;
  /** The user who is about to carry it out. Default: any. */
  readonly user?: string | undefined;
}

/** Options of `verifyToken`. */
export interface VerifyTokenOptions extends TokenExpectations {
  /** Where the service is, such as `https://whorl.example.com`. */
  readonly baseUrl: string;
}

/** Checks tokens of one service, and keeps its keys. */
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
 * Checks the token that `evaluate` gave in the page: a JSON Web Token, signed with ES256 by a key that the service
 * publishes at `/.well-known/jwks.json`, not expired, and about what is expected. It is a hint until its evaluation
 * (`jti`) is consumed: only that makes it count, and count once.
 *
 * The keys are kept for 10 minutes. A token of an unknown key has them fetched anew, once in 30 seconds at most.
 *
 * @throws {WhorlVerificationError} for a token that is not to be believed.
 * @throws {WhorlApiError | WhorlConnectionError} where the keys cannot be fetched.
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

/** A verifier whose keys come through the transport, which knows no secret. */
export function createTokenVerifier(baseUrl: string, transport: Transport): TokenVerifier {
  const path = '/.well-known/jwks.json';
  const keys = createRemoteJWKSet(new URL(baseUrl + path), {
    // Not with the given signal: the transport has a time-out, and retries.
    [customFetch]: async () => Response.json(await transport.call({ method: 'GET', path, isAnswer: isKeySet })),
  });

  return {
    async verify(token, expected) {
      const { audience, issuer = baseUrl, action, user } = expected;
      // jose takes an absent audience for any.
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
      if (!isTokenPayload(payload)) throw new WhorlVerificationError('malformed', 'The token lacks a claim.');
      if (action !== undefined && payload.action !== action) {
        throw mismatch(`The token is for the action "${payload.action}", but action is "${action}".`);
      }
      // Identifiers of users are personal data, and stay out of messages.
      if (user !== undefined && payload.user !== user) {
        throw mismatch('The token is for another user than the one in user.');
      }
      return payload;
    },
  };
}

/** Without a cause: jose's error holds all claims, the user among them. */
function mismatch(message: string): WhorlVerificationError {
  return new WhorlVerificationError('claim_mismatch', message);
}

function errorOf(error: unknown, expected: VerifyTokenOptions): WhorlError {
  if (error instanceof WhorlError) return error;
  if (error instanceof errors.JWTExpired) {
    return new WhorlVerificationError('expired', 'The token has expired.');
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
