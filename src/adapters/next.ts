import type { RequestHeaders } from '../server/index.js';
import { type CookieTarget, setCookie } from './binding.js';
import type { Attempt, Decision, ProtectionOptions, RoutesOptionsFor, WebhookOptions } from './options.js';
import { Protection } from './protection.js';
import { handlePage, handleWebhook, visitorOf, type WebDecision, withResponse } from './web.js';

export { forwardedFor } from '../server/index.js';
export type { CookieOptions, CookieTarget } from './binding.js';
export type {
  Attempt,
  Decision,
  LoggedIn,
  ProtectionOptions,
  RoutesOptionsFor,
  User,
  WebhookOptions,
} from './options.js';
export type { Begun, ChallengeWith, FactorRequest, OwnFactor } from './own-factor.js';
export type { WebDecision } from './web.js';

/** Options for Next. */
export interface NextOptions extends ProtectionOptions {
  /**
   * Returns the visitor's address. Next does not know it: use what your host sets, such as `forwardedFor(1)` behind one
   * proxy. If it returns undefined, `withoutAddress` applies.
   */
  readonly clientAddress: (request: { readonly headers: RequestHeaders }) => string | undefined;
}

/** What a server action knows of its request: `{ headers: await headers(), cookies: await cookies() }`. */
export interface ActionRequest {
  readonly headers: RequestHeaders;
  readonly cookies: CookieTarget;
}

/** A decision about a server action. */
export interface ActionDecision extends Omit<Decision, 'reply'> {
  /** What to return to the page if the action must not continue. */
  readonly reply:
    | { readonly status: number; readonly body?: { readonly code: string; readonly detail: string } }
    | undefined;
}

/** Options of the routes that the page calls. */
export type RoutesOptions = RoutesOptionsFor<[request: Request]>;

type RouteHandler = (request: Request) => Promise<Response>;

/** The route handlers of Next's app router, and what its server actions call. */
export interface NextProtection {
  /** Evaluates an action in a route handler. If the decision is not to continue, return `response`. */
  decide(request: Request, attempt: Attempt): Promise<WebDecision>;
  /**
   * Evaluates a server action: `decideAction({ headers: await headers(), cookies: await cookies() }, fields, attempt)`.
   * `fields` is the action's form data, or an object with the fields of `collect`. If the decision is not to continue,
   * return `reply` to the page. If a code is needed, a cookie binds the challenge to the browser.
   */
  decideAction(request: ActionRequest, fields: FormData | object, attempt: Attempt): Promise<ActionDecision>;
  /**
   * Reports an attempt that the application's own checks rejected, such as a wrong password. If the decision is not to
   * continue, return `response`, which a right password would have received too.
   */
  reportFailure(request: Request, attempt: Attempt): Promise<WebDecision>;
  /** The same for a server action, with `reply` in place of `response`. */
  reportFailedAction(request: ActionRequest, fields: FormData | object, attempt: Attempt): Promise<ActionDecision>;
  /** The routes that the page calls, for `app/whorl/[route]/route.ts`: `export const { POST } = whorl.routes()`. */
  routes(options?: RoutesOptions): { readonly POST: RouteHandler };
  /** The route of a webhook: `export const { POST } = whorl.webhook(…)`. */
  webhook(options: WebhookOptions): { readonly POST: RouteHandler };
}

/** Creates the route handlers for Next's app router (15 and later). It imports nothing of Next. */
export function whorlNext({ clientAddress, ...options }: NextOptions): NextProtection {
  const protection = new Protection(options);
  const visitor = (request: Request) => visitorOf(request, clientAddress(request));
  const ofAction = ({ headers }: ActionRequest, body: unknown) => ({ headers, body, ip: clientAddress({ headers }) });
  return {
    decide: async (request, attempt) => withResponse(await protection.protect(await visitor(request), attempt)),
    decideAction: async (request, fields, attempt) =>
      forAction(request, await protection.protect(ofAction(request, fields), attempt)),
    reportFailure: async (request, attempt) =>
      withResponse(await protection.reportFailure(await visitor(request), attempt)),
    reportFailedAction: async (request, fields, attempt) =>
      forAction(request, await protection.reportFailure(ofAction(request, fields), attempt)),
    routes: (options) => ({ POST: handlePage(protection, clientAddress, options) }),
    webhook: (webhook) => ({ POST: handleWebhook(protection, webhook) }),
  };
}

/** Sets the cookie of a decision, and leaves it out of what the page receives. */
function forAction({ cookies }: ActionRequest, { reply, ...decision }: Decision): ActionDecision {
  setCookie(cookies, reply);
  const { status, body } = reply ?? {};
  return { ...decision, reply: status === undefined ? undefined : { status, ...(body && { body }) } };
}
