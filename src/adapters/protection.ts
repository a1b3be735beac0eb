import { readHeader } from '../server/headers.js';
import {
  browserOf,
  type RequestHeaders,
  type UnavailableEvaluation,
  verifyWebhook,
  type WebhookBody,
  type WhenUnavailable,
  type Whorl,
  WhorlVerificationError,
} from '../server/index.js';
import type { EvaluateRequest, Evaluation, WebhookEvent } from '../wire/index.js';
import { outcomeOf, respondAbout } from './about-challenge.js';
import { respondAboutDevices } from './about-devices.js';
import { bind, completedIn, readBinding } from './binding.js';
import { isDevelopment } from './development.js';
import { createMemory } from './memory.js';
import type { Attempt, Decision, LoggedIn, ProtectionOptions, WebhookOptions } from './options.js';
import { OwnFactors } from './own-factor.js';
import { rememberAddresses } from './remember-addresses.js';
import {
  faultOf,
  foreignOrigin,
  mayBeDueToVisitors,
  noDevices,
  notLoggedIn,
  type Refusal,
  type Reply,
  redirect,
  refusalOf,
  replyFor,
  tooLong,
  unavailable,
} from './replies.js';
import { type ChallengeRouteName, type DeviceRouteName, isAboutDevices, type RouteName } from './routes.js';
import { isForeign, type OfTheRequest, type VisitorRequest } from './visitor-request.js';

/** Returns who is logged in. */
type FindUser = () => LoggedIn | Promise<LoggedIn>;

/** What all server adapters share: requests come in as `VisitorRequest`, and responses go out as `Reply`. */
export class Protection {
  private readonly options: ProtectionOptions;
  private readonly memory = createMemory();
  private readonly factors: OwnFactors;
  private readonly warned = new Set<string>();
  private client: Whorl<WhenUnavailable> | undefined;

  constructor(options: ProtectionOptions) {
    this.options = options;
    this.factors = new OwnFactors(options.challengeWith);
    rememberAddresses();
  }

  /** The client. */
  get whorl(): Whorl<WhenUnavailable> {
    const { whorl } = this.options;
    this.client ??= typeof whorl === 'function' ? whorl() : whorl;
    return this.client;
  }

  /** Evaluates an action. The body contains the fields of `collect`; one that it does not contain counts as unreadable. */
  async protect(visitor: VisitorRequest, attempt: Attempt): Promise<Decision> {
    const decision = await this.decide(visitor, attempt);
    await this.options.onDecision?.(decision, attempt);
    return decision;
  }

  /**
   * Reports an attempt that the application's own checks rejected. If the decision is not to continue, its reply is what
   * a right password would have received too, so it must be the response: otherwise the response would tell that the
   * password was wrong.
   */
  async reportFailure(visitor: VisitorRequest, attempt: Attempt): Promise<Decision> {
    return this.decide(visitor, attempt, 'failed');
  }

  private async decide(
    visitor: VisitorRequest,
    { options, verifiedBy, ...attempt }: Attempt,
    outcome?: 'failed',
  ): Promise<Decision> {
    const refused = this.refuseForeign(visitor) ?? this.refuseWithoutAddress(visitor);
    if (refused) return this.stop(visitor, refused);
    const { ip } = visitor;
    const browser = browserOf(visitor.body, visitor.headers);
    const bound = await readBinding(this.whorl, visitor);
    const completed = outcome ? undefined : completedIn(bound);
    const request = {
      ...requestOf(attempt),
      ...browser,
      ...(ip && { ip }),
    };
    const { fingerprint } = browser;
    // Without an address, a copied fingerprint would do from everywhere.
    const known = fingerprint && ip && [attempt.action, attempt.user, fingerprint, ip];
    const choices = { ...options, whenUnavailable: 'deny' } as const;
    const evaluation = await this.ask((whorl) =>
      outcome
        ? whorl.reportFailure(request, choices)
        : whorl.evaluate({ ...request, ...(completed && { completed_challenge: completed }) }, choices),
    );
    if (!evaluation) return this.stop(visitor, unavailable);
    if (evaluation.unavailable) {
      this.options.onUnavailable?.(evaluation.cause);
      const { whenUnavailable } = this.options;
      const isKnown = known && this.memory.has(known);
      const mayContinue = whenUnavailable === 'cached' ? isKnown : whenUnavailable === 'allow';
      return mayContinue ? go({ ...evaluation, verdict: 'allow' }) : this.stop(visitor, unavailable, evaluation);
    }
    if (known && !outcome) this.memory.set(known, evaluation.verdict === 'allow');
    for (const { path, message } of evaluation.warnings ?? []) {
      // A challenge of an earlier action may still be bound to the browser.
      if (path !== 'completed_challenge') this.warn(`Whorl, test key: \`${path}\` ${message}.`);
    }
    const refusal = refusalOf(evaluation, outcome);
    if (!refusal) return go(evaluation);
    const { challenge_id: id } = evaluation;
    if (id && verifiedBy !== undefined) {
      const isCompleted = await this.completeAtOnce(id, verifiedBy);
      return isCompleted ? go(evaluation) : this.stop(visitor, unavailable, evaluation);
    }
    const headers = id && (await bind(this.whorl, visitor, { id, state: 'open' }, bound));
    return this.stop(visitor, { ...refusal, ...(headers && { headers }) }, evaluation);
  }

  /**
   * Returns the response to a request of a page for a nonce, about a challenge, or about the devices of a user.
   *
   * @param findUser Returns who is logged in.
   */
  async respond(route: RouteName, visitor: VisitorRequest, findUser?: FindUser): Promise<Reply> {
    if (isAboutDevices(route))
      return this.replyToPage(visitor, () => this.respondAboutDevices(route, visitor, findUser));
    const reply = await this.replyToPage(visitor, () => this.respondAboutChallenge(route, visitor));
    const isForm = route === 'send' || route === 'verify';
    return isForm ? this.forBrowser(visitor, reply, outcomeOf(route, reply)) : reply;
  }

  private async respondAboutChallenge(route: ChallengeRouteName, visitor: VisitorRequest): Promise<Reply> {
    if (route !== 'nonce') return respondAbout({ whorl: this.whorl, factors: this.factors }, route, visitor);
    return { status: 200, body: await this.whorl.devices.nonce(visitor.ip ? { ip: visitor.ip } : {}) };
  }

  private async respondAboutDevices(
    route: DeviceRouteName,
    visitor: VisitorRequest,
    findUser: FindUser | undefined,
  ): Promise<Reply> {
    if (!findUser) return noDevices;
    const user = await findUser();
    return user ? respondAboutDevices(this.whorl, route, { visitor, user }) : notLoggedIn;
  }

  /** Returns the response to a page of the application, also if the service refuses or is unavailable. */
  private async replyToPage(visitor: VisitorRequest, respond: () => Promise<Reply>): Promise<Reply> {
    const foreign = this.refuseForeign(visitor);
    if (foreign) return foreign;
    try {
      return await respond();
    } catch (error) {
      const reply = replyFor(error);
      if (!reply) throw faultOf(error);
      if (reply === unavailable) this.options.onUnavailable?.(error);
      return reply;
    }
  }

  /**
   * Verifies a webhook and passes its event on. Returns 400 to a webhook that cannot be trusted.
   *
   * @param body Undefined if it is too long.
   */
  async receive(
    body: WebhookBody | undefined,
    headers: RequestHeaders,
    { secrets, onEvent }: WebhookOptions,
  ): Promise<Reply> {
    if (body === undefined) return tooLong;
    let event: WebhookEvent;
    try {
      event = await verifyWebhook(body, headers, secrets);
    } catch (error) {
      if (!(error instanceof WhorlVerificationError)) throw error;
      return { status: 400, body: { code: error.code, detail: error.message } };
    }
    await onEvent(event);
    return { status: 204 };
  }

  /** Prints a warning once. Warnings contain no values. */
  private warn(text: string): void {
    if (this.warned.has(text)) return;
    this.warned.add(text);
    console.warn(text);
  }

  /**
   * Returns undefined if the service is busy, or a firewall responded: visitors can bring that about, so it must not count
   * as unavailable.
   */
  private async ask<Result>(call: (whorl: Whorl<WhenUnavailable>) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await call(this.whorl);
    } catch (error) {
      if (!mayBeDueToVisitors(error)) throw faultOf(error);
      this.options.onUnavailable?.(error);
      return undefined;
    }
  }

  /** Completes a challenge of a user who has just been verified. Returns false if the service cannot do so now. */
  private async completeAtOnce(id: string, method: string): Promise<boolean> {
    try {
      await this.whorl.challenges.complete(id, { method });
      return true;
    } catch (error) {
      if (replyFor(error) !== unavailable && !mayBeDueToVisitors(error)) throw faultOf(error);
      this.options.onUnavailable?.(error);
      return false;
    }
  }

  private stop(visitor: VisitorRequest, refusal: Refusal, evaluation?: Decision['evaluation']): Decision {
    const reply = this.forBrowser(visitor, refusal, refusal.body?.code ?? '');
    return { continues: false, restricted: false, evaluation, reply };
  }

  /** Returns the reply, or a redirect to the page that asks for codes if the browser navigated. */
  private forBrowser<Given extends Reply>({ headers }: VisitorRequest, reply: Given, code: string): Given | Refusal {
    const { page } = this.options;
    const isNavigation = readHeader(headers, 'accept')?.includes('text/html');
    return page !== undefined && isNavigation ? redirect(page, reply, code) : reply;
  }

  private refuseForeign(visitor: VisitorRequest): Refusal | undefined {
    return isForeign(visitor, this.options.origins) ? foreignOrigin : undefined;
  }

  private refuseWithoutAddress({ ip }: VisitorRequest): Refusal | undefined {
    const { withoutAddress = isDevelopment() ? 'allow' : 'refuse' } = this.options;
    if (ip) return undefined;
    this.warn(
      "Whorl: a visitor's address cannot be determined. Set the option `trustedProxies`, or `clientAddress` with Hono, " +
        'Next, better-auth and Auth.js, to the proxies before the application (docs/adapters.md). ' +
        (withoutAddress === 'refuse' ? 'The request was refused.' : 'Addresses are not judged.'),
    );
    return withoutAddress === 'refuse' ? unavailable : undefined;
  }
}

function requestOf({ email, phone, ...attempt }: Omit<Attempt, 'options'>): Omit<EvaluateRequest, OfTheRequest> {
  return { ...attempt, ...(email && { email }), ...(phone && { phone }) };
}

function go(evaluation: Evaluation | UnavailableEvaluation): Decision {
  return { continues: true, restricted: isRestricted(evaluation), evaluation, reply: undefined };
}

function isRestricted({ verdict }: Evaluation | UnavailableEvaluation): boolean {
  return verdict === 'restrict' || verdict === 'challenge_and_restrict';
}
