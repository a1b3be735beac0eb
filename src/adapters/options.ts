import type { EvaluateOptions, UnavailableEvaluation, WhenUnavailable, Whorl } from '../server/index.js';
import type { EvaluateRequest, Evaluation, WebhookEvent } from '../wire/index.js';
import type { ChallengeWith } from './own-factor.js';
import type { Refusal } from './replies.js';
import type { OfTheRequest } from './visitor-request.js';

/** Options of every server adapter. */
export interface ProtectionOptions {
  /**
   * The client, or a function that creates it when it is first needed: `next build` runs the application's modules,
   * often without its secrets.
   */
  readonly whorl: Whorl<WhenUnavailable> | (() => Whorl<WhenUnavailable>);
  /**
   * What happens to an action if the service is unavailable: it cannot be reached, does not respond in time, or returns
   * 5xx. `allow` continues, `deny` answers 503, and `cached` continues if the last verdict that this process received
   * for the same action of the same user's browser at the same address was `allow`, at most 24 hours ago, and otherwise
   * answers 503. A service that is busy (429) is never unavailable: then 503 is answered.
   */
  readonly whenUnavailable: 'allow' | 'deny' | 'cached';
  /** Called with the error whenever the service is unavailable, for a log. Default: none. */
  readonly onUnavailable?: ((cause: unknown) => void) | undefined;
  /**
   * What happens to an action if the visitor's address cannot be determined. `refuse` answers 503, and `allow` judges
   * without an address. Default: `refuse`, but `allow` where `NODE_ENV` is `development` or `test`.
   */
  readonly withoutAddress?: 'refuse' | 'allow' | undefined;
  /** Called with each decision and its action, for example to store that a user is restricted. Default: none. */
  readonly onDecision?: ((decision: Decision, attempt: Attempt) => unknown) | undefined;
  /** Other origins whose pages may send requests, such as `https://app.example.com`. Default: none. */
  readonly origins?: readonly string[] | undefined;
  /**
   * Path of the page that asks for codes. If an action is refused that the browser navigated to, such as a form without
   * a script, it is redirected there, with `code` in the query. So are such requests to the routes `send` and `verify`.
   * Default: JSON.
   */
  readonly page?: string | undefined;
  /**
   * Returns a factor of your own for the user of a challenge, such as a passkey, which is offered instead of a code, or
   * beside it. Undefined for a user who has none. The adapter keeps the challenge with its browser, and completes it
   * with the factor's `method`. Name the user's factors in `methods` of the attempt too (docs/challenges.md). Default:
   * codes.
   */
  readonly challengeWith?: ChallengeWith | undefined;
}

/** The action that is evaluated: the fields of `evaluate` without those that the adapter reads. */
export interface Attempt extends Omit<EvaluateRequest, OfTheRequest | 'email' | 'phone'> {
  /** Null, as in a database, counts as absent. */
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  /**
   * The factor of your own by which the user has just been verified beside the password, or in its place, such as
   * `passkey`. A challenge of this attempt is completed with it at once.
   */
  readonly verifiedBy?: string | undefined;
  /** Options of this call of `evaluate`, such as `timeoutMs`. */
  readonly options?: Omit<EvaluateOptions, 'whenUnavailable'> | undefined;
}

/** What to do with a request. */
export interface Decision {
  /** Whether the action may continue. If not, `reply` is the response. */
  readonly continues: boolean;
  /**
   * Whether the user may continue with fewer permissions only: the verdict is `restrict` or, after `verifiedBy`,
   * `challenge_and_restrict`.
   */
  readonly restricted: boolean;
  /** Undefined if the request was refused without asking the service. */
  readonly evaluation: Evaluation | UnavailableEvaluation | undefined;
  readonly reply: Refusal | undefined;
}

/** The user whose action is evaluated. */
export type User = Pick<Attempt, 'user' | 'email' | 'phone' | 'methods'>;

/** What `protect` evaluates: the fields of `evaluate`, where the user is read from what the framework passes. */
export interface ProtectOptionsFor<Arguments extends readonly unknown[]> extends Omit<Attempt, keyof User> {
  /** Returns the user whose action it is, or undefined if nobody is logged in: then 401 is answered. */
  readonly user: (...passed: Arguments) => User | undefined | Promise<User | undefined>;
}

/** Who is logged in: the application's own ID of the user, as `evaluate` is told. */
export type LoggedIn = string | null | undefined;

/** Options of the routes that a page calls, where the user is read from what the framework passes. */
export interface RoutesOptionsFor<Arguments extends readonly unknown[]> {
  /**
   * Returns the user of the application's session, or undefined if nobody is logged in: then 401 is answered. The
   * routes about the user's devices need it (docs/devices-page.md). Never read it from the request's body. Default:
   * these routes answer 404.
   */
  readonly user?: ((...passed: Arguments) => LoggedIn | Promise<LoggedIn>) | undefined;
}

/** Options of a webhook route. */
export interface WebhookOptions {
  /** `whsec_…`; more than one during rotation. */
  readonly secrets: string | readonly string[] | undefined;
  /** If it throws, the application's error handler answers, and the service sends the event again later. */
  readonly onEvent: (event: WebhookEvent) => unknown;
}
