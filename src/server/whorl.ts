import type { EvaluateRequest, Evaluation, TokenPayload } from '../wire/index.js';
import type { WhorlApiError, WhorlConnectionError } from './errors.js';
import {
  checkApiSecret,
  checkBaseUrl,
  checkRetries,
  checkTimeoutMs,
  checkWhenUnavailable,
  type EvaluateOptions,
  type WhenUnavailable,
  type WhorlOptions,
} from './options.js';
import { Challenges } from './resources/challenges.js';
import { isEvaluation } from './resources/checks.js';
import { Devices } from './resources/devices.js';
import { Evaluations } from './resources/evaluations.js';
import { Legacy } from './resources/legacy.js';
import { Users } from './resources/users.js';
import { isOutOfReach } from './retry.js';
import { createTokenVerifier, type TokenExpectations, type TokenVerifier } from './token.js';
import { createTransport, type Transport } from './transport.js';

/** What stands for an evaluation where the service was out of reach. Nothing was judged, and nothing is to be completed. */
export interface UnavailableEvaluation {
  verdict: 'allow' | 'deny';
  reasons: ['unavailable'];
  unavailable: true;
  /** Why there is no evaluation. */
  cause: WhorlApiError | WhorlConnectionError;
}

/** What `evaluate` resolves to: an evaluation; and, where it does not throw, what stands for one. */
export type EvaluationResult<Chosen extends WhenUnavailable> = Chosen extends 'throw'
  ? Evaluation
  : (Evaluation & { unavailable?: undefined }) | UnavailableEvaluation;

/**
 * The client of the service for the application's server (interface specification, parts 4 and 5). It keeps nothing
 * between calls but the public keys of tokens, so one for all requests does.
 */
export class Whorl<Default extends WhenUnavailable = 'throw'> {
  /** As given in the options. */
  readonly whenUnavailable: Default | undefined;
  readonly challenges: Challenges;
  readonly devices: Devices;
  readonly users: Users;
  readonly evaluations: Evaluations;
  readonly legacy: Legacy;
  private readonly transport: Transport;
  private readonly tokens: TokenVerifier;

  /** @throws {WhorlArgumentError} for an option with a value that it cannot have. */
  constructor(options: WhorlOptions<Default>) {
    const { timeoutMs = 10_000, retries = 2, whenUnavailable, fetch } = options;
    const reach = {
      baseUrl: checkBaseUrl(options.baseUrl),
      timeoutMs: checkTimeoutMs(timeoutMs),
      retries: checkRetries(retries),
      fetch,
    };
    this.transport = createTransport({ ...reach, apiSecret: checkApiSecret(options.apiSecret) });
    this.tokens = createTokenVerifier(reach.baseUrl, createTransport(reach));
    this.whenUnavailable = whenUnavailable && checkWhenUnavailable(whenUnavailable);
    this.challenges = new Challenges(this.transport);
    this.devices = new Devices(this.transport);
    this.users = new Users(this.transport);
    this.evaluations = new Evaluations(this.transport);
    this.legacy = new Legacy(this.transport);
  }

  /**
   * POST /v2/device/evaluate: what to do about an action of a user (interface specification 4.4). Give the user's `ip`
   * where you know it: without it nothing is noticed about addresses.
   *
   * The service counts as out of reach when it could not be reached or was not in time, when something else answered,
   * and when it answered 408, 429 or 5xx, each after all retries. A refusal (401 or 400, for instance) always throws.
   */
  evaluate<Chosen extends WhenUnavailable = Default>(
    request: EvaluateRequest,
    options?: EvaluateOptions<Chosen>,
  ): Promise<EvaluationResult<Chosen>>;
  async evaluate(request: EvaluateRequest, options: EvaluateOptions = {}): Promise<Evaluation | UnavailableEvaluation> {
    const chosen = checkWhenUnavailable(options.whenUnavailable ?? this.whenUnavailable ?? 'throw');
    const path = '/v2/device/evaluate';
    try {
      return await this.transport.call({ method: 'POST', path, body: request, isAnswer: isEvaluation }, options);
    } catch (error) {
      if (chosen === 'throw' || !isOutOfReach(error)) throw error;
      return { verdict: chosen, reasons: ['unavailable'], unavailable: true, cause: error };
    }
  }

  /**
   * Checks the token that `evaluate` gave in the page: see the function `verifyToken`. The keys are fetched with the
   * client's options, without the secret.
   */
  verifyToken(token: string, expected: TokenExpectations): Promise<TokenPayload> {
    return this.tokens.verify(token, expected);
  }
}
