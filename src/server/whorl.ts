import type { DeclaredAgent, EvaluateRequest, Evaluation, ReportFailureRequest, TokenPayload } from '../wire/index.js';
import type { VerifyAgentOptions } from './agents/options.js';
import type { AgentRequest } from './agents/request.js';
import { type AgentVerifier, createAgentVerifier } from './agents/verify-agent.js';
import { enteredName } from './browser-of.js';
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
import { Lists } from './resources/lists.js';
import { Project } from './resources/project.js';
import { Users } from './resources/users.js';
import { isOutOfReach } from './retry.js';
import { createSeals, type Seals } from './seal.js';
import { createTokenVerifier, type TokenExpectations, type TokenVerifier } from './token.js';
import { createTransport, type Transport } from './transport.js';

/**
 * The result in place of an evaluation if the service was unavailable. Nothing was judged, and there is no challenge to
 * complete.
 */
export interface UnavailableEvaluation {
  verdict: 'allow' | 'deny';
  reasons: ['unavailable'];
  unavailable: true;
  /** Why there is no evaluation. */
  cause: WhorlApiError | WhorlConnectionError;
}

/** What `evaluate` resolves to: an evaluation or, if it does not throw, its replacement. */
export type EvaluationResult<Chosen extends WhenUnavailable> = Chosen extends 'throw'
  ? Evaluation
  : (Evaluation & { unavailable?: undefined }) | UnavailableEvaluation;

/**
 * The client of the service for the application's server (docs/api.md). It caches only public keys, so
 * one client can serve all requests.
 */
export class Whorl<Default extends WhenUnavailable = 'throw'> {
  /** The option that the client was created with. */
  readonly whenUnavailable: Default | undefined;
  readonly challenges: Challenges;
  readonly devices: Devices;
  readonly users: Users;
  readonly evaluations: Evaluations;
  readonly lists: Lists;
  readonly project: Project;
  readonly legacy: Legacy;
  private readonly transport: Transport;
  private readonly tokens: TokenVerifier;
  private readonly agents: AgentVerifier;
  private hasWarned = false;
  private readonly seals: Seals;

  /**
   * Creates a client.
   *
   * @throws {WhorlArgumentError} for an option with an invalid value.
   */
  constructor(options: WhorlOptions<Default>) {
    const { timeoutMs = 10_000, retries = 2, whenUnavailable, fetch } = options;
    const reach = {
      baseUrl: checkBaseUrl(options.baseUrl),
      timeoutMs: checkTimeoutMs(timeoutMs),
      retries: checkRetries(retries),
      fetch,
    };
    const apiSecret = checkApiSecret(options.apiSecret);
    this.transport = createTransport({ ...reach, apiSecret });
    this.seals = createSeals(apiSecret);
    this.tokens = createTokenVerifier(reach.baseUrl, createTransport(reach));
    this.agents = createAgentVerifier(fetch);
    this.whenUnavailable = whenUnavailable && checkWhenUnavailable(whenUnavailable);
    this.challenges = new Challenges(this.transport);
    this.devices = new Devices(this.transport);
    this.users = new Users(this.transport);
    this.evaluations = new Evaluations(this.transport);
    this.lists = new Lists(this.transport);
    this.project = new Project(this.transport);
    this.legacy = new Legacy(this.transport);
  }

  /**
   * Evaluates an action of a user and returns what to do (POST /v2/device/evaluate, docs/api.md). Pass the user's `ip`
   * if you know it: without it, no reason that depends on the address is raised.
   *
   * The service counts as unavailable if it could not be reached or did not respond in time, or if it or a proxy returned
   * 5xx other than `user_busy`, each after all retries. Other errors (such as 400, 401 and 429) always throw. So does a
   * response that is not from the service, which may be a firewall's, and an answer of 429 or `user_busy` whose retries
   * fail. The service waits up to 3 seconds before `user_busy`, so that a shorter `timeoutMs` turns it into a time-out.
   * Warns once if `ip` is missing.
   */
  evaluate<Chosen extends WhenUnavailable = Default>(
    request: EvaluateRequest,
    options?: EvaluateOptions<Chosen>,
  ): Promise<EvaluationResult<Chosen>>;
  async evaluate(request: EvaluateRequest, options: EvaluateOptions = {}): Promise<Evaluation | UnavailableEvaluation> {
    const chosen = checkWhenUnavailable(options.whenUnavailable ?? this.whenUnavailable ?? 'throw');
    if (!request.ip) this.warnAboutAddress();
    const path = '/v2/device/evaluate';
    try {
      return await this.transport.call({ method: 'POST', path, body: request, isResult: isEvaluation }, options);
    } catch (error) {
      if (chosen === 'throw' || !isOutOfReach(error)) throw error;
      return { verdict: chosen, reasons: ['unavailable'], unavailable: true, cause: error };
    }
  }

  /**
   * Reports an attempt that the application's own checks rejected, such as a wrong password (POST /v2/device/evaluate
   * with `outcome: 'failed'`). The attempt is judged and counted, and has no other effect: nothing is attached, trusted
   * or sent, and there is no challenge. The verdict says how to treat the caller. `user` is the account's ID. If
   * there is no such account, it is what was entered: at most 256 characters are sent, without control characters. The
   * service stores an unknown name only as a keyed hash.
   *
   * Retries as `evaluate` does, with the same result if the service is unavailable.
   */
  reportFailure<Chosen extends WhenUnavailable = Default>(
    request: ReportFailureRequest,
    options?: EvaluateOptions<Chosen>,
  ): Promise<EvaluationResult<Chosen>> {
    return this.evaluate({ ...request, user: enteredName(request.user), outcome: 'failed' }, options);
  }

  private warnAboutAddress(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    console.warn(
      "Whorl: evaluate was called without the visitor's `ip`. Nothing about addresses is judged or counted.",
    );
  }

  /**
   * Verifies the token that `evaluate` returned in the page: see the function `verifyToken`. Fetches the keys with the
   * client's options, without the secret.
   */
  verifyToken(token: string, expected: TokenExpectations): Promise<TokenPayload> {
    return this.tokens.verify(token, expected);
  }

  /**
   * Verifies the agent that a visitor's request declares: see the function `verifyAgent`. Pass the result as `agent` to
   * `evaluate`. Reads directories with the client's `fetch`, without the secret.
   */
  verifyAgent(request: AgentRequest, options: VerifyAgentOptions): Promise<DeclaredAgent | undefined> {
    return this.agents(request, options);
  }

  /**
   * Signs a text that a browser keeps for your server, such as the value of a cookie. Returns the text, a dot and the
   * signature (HMAC-SHA-256). The key is derived from the secret key and the purpose, so that a text signed for one
   * purpose is not valid for another. The text stays readable, and valid until the secret key changes.
   */
  sign(purpose: string, text: string): Promise<string> {
    return this.seals.sign(purpose, text);
  }

  /** Returns the text that `sign` signed for this purpose, or undefined if the signature does not match. */
  readSigned(purpose: string, signed: string): Promise<string | undefined> {
    return this.seals.read(purpose, signed);
  }
}
