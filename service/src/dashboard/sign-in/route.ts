import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { formTokenOf, isFormTokenOf } from '../../ground/crypto/index.js';
import type { HttpEnv } from '../../http/environment.js';
import { basePathOf, redirect } from '../../http/pages/page-response.js';
import { type PageRoute, readForm } from '../../http/pages/page-route.js';
import type { Address } from '../../resources/addresses/addresses.js';
import { isSetUp, readAdminEmail } from '../../resources/admins/admins.js';
import { findLinkUse, type LinkUse } from '../../resources/admins/links.js';
import { passwordProblem, tooManyAttempts } from '../../resources/admins/rules.js';
import { usesPassword } from '../../resources/admins/sign-in-options.js';
import { administrator, recordAudit } from '../../resources/audit/audit.js';
import type { Service } from '../../resources/service.js';
import { adminRoute, servePage } from '../dashboard-route.js';
import type { Notice } from '../notice.js';
import {
  isFromOwnPage,
  noSessionCookie,
  noVisitorCookie,
  readNext,
  readSessionCookie,
  readVisitorCookie,
  sessionCookie,
  visitorCookie,
} from '../request.js';
import { respond } from '../respond.js';
import { deviceWords } from './device-words.js';
import { endSession, findSession } from './session.js';
import { type Credentials, setUpAdmin, signIn } from './sign-in.js';
import { type ProviderEntrance, renderSetUp, renderSetUpGone, renderSignIn, type SetUpEntry } from './view.js';

const visitorBytes = 32;

/** Returns the visitor cookie's value of a browser without a session, or a new value. */
export function visitorOf(service: Pick<Service, 'publicUrl'>, c: Context): string {
  return readVisitorCookie(service, c) ?? randomBytes(visitorBytes).toString('base64url');
}

/**
 * Reads the form of a visitor who is not signed in. Returns undefined if it does not come from a page shown to this
 * browser.
 */
export async function readVisitorForm(
  service: Service,
  c: Context<HttpEnv>,
): Promise<{ readonly fields: URLSearchParams; readonly visitor: string } | undefined> {
  const visitor = readVisitorCookie(service, c);
  if (!visitor || !isFromOwnPage(c, service.publicUrl)) return undefined;
  const fields = await readForm(c);
  return isFormTokenOf(service.vault, 'dashboard.csrf', visitor, fields.get('csrf')) ? { fields, visitor } : undefined;
}

/** Returns the provider's name, with the address where signing in with it begins. */
export function providerOf(service: Service, next?: string): ProviderEntrance | undefined {
  const { provider } = service.signIn;
  if (!provider) return undefined;
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  return { name: provider.name, href: `${basePathOf(service)}/dashboard/sign-in/provider${query}` };
}

interface Shown {
  readonly next: string | undefined;
  readonly status?: number;
  readonly notice?: Notice;
}

/** Shows the page with the ways to sign in. */
export async function showSignIn(service: Service, c: Context<HttpEnv>, { next, status = 200, notice }: Shown) {
  const visitor = visitorOf(service, c);
  const html = renderSignIn({
    basePath: basePathOf(service),
    formToken: formTokenOf(service.vault, 'dashboard.csrf', visitor),
    next,
    isNew: !(await isSetUp(service)),
    provider: providerOf(service, next),
    hasPasswords: service.signIn.localPasswords,
    notice,
  });
  return respond(html, { status, headers: { 'Set-Cookie': visitorCookie(service, visitor) } });
}

const notSaved: Notice = {
  kind: 'bad',
  text: 'Nothing was saved, because you were no longer signed in. Sign in, and fill in the form again.',
};

const show: PageRoute = {
  method: 'get',
  path: '/dashboard/sign-in',
  prepare: (context) => (c) =>
    servePage(context, c, async () => {
      const { service } = context;
      const next = readNext(service, c.req.query('next'));
      if (!(await findSession(service, readSessionCookie(service, c)))) {
        return showSignIn(service, c, { next, ...(c.req.query('unsaved') && { notice: notSaved }) });
      }
      return redirect(next ?? `${basePathOf(service)}/dashboard`);
    }),
};

const submit: PageRoute = {
  method: 'post',
  path: '/dashboard/sign-in',
  prepare: (context) => (c) => servePage(context, c, (address) => submitSignIn(context.service, c, address)),
};

async function submitSignIn(service: Service, c: Context<HttpEnv>, address: Address | undefined): Promise<Response> {
  const form = await readVisitorForm(service, c);
  if (!form)
    return showSignIn(service, c, {
      next: undefined,
      status: 403,
      notice: bad('The form has expired. Sign in again.'),
    });
  const { fields } = form;
  const next = readNext(service, fields.get('next'));
  const result = await signIn(service, {
    email: fields.get('email') ?? '',
    password: fields.get('password') ?? '',
    address,
    device: deviceWords(c.req.header('user-agent')),
    previousToken: readSessionCookie(service, c),
  });
  if (result.outcome === 'right') {
    return redirect(next ?? `${basePathOf(service)}/dashboard`, [sessionCookie(service, result.token)]);
  }
  if (result.outcome === 'wrong') {
    return showSignIn(service, c, { next, status: 422, notice: bad('The email address or password is wrong.') });
  }
  const response = await showSignIn(service, c, { next, status: 429, notice: bad(tooManyAttempts(result.seconds)) });
  response.headers.set('Retry-After', String(result.seconds));
  return response;
}

const bad = (text: string): Notice => ({ kind: 'bad', text });

const signOut = adminRoute({
  method: 'post',
  path: '/dashboard/sign-out',
  permission: 'use_account',
  handle: async ({ service, admin, address, sessionToken, basePath }) => {
    await endSession(service, sessionToken);
    await recordAudit(service.db, service, { kind: 'signed_out', by: administrator(admin), network: address?.network });
    return redirect(`${basePath}/dashboard/sign-in`, [noSessionCookie(service)]);
  },
});

export const signInPages: readonly PageRoute[] = [show, submit, signOut];

const setUpPath = '/dashboard/set-up';

function linkExpired(service: Service): Response {
  return respond(renderSetUpGone(basePathOf(service)), { status: 403 });
}

interface ShownSetUp {
  readonly token: string;
  readonly use: LinkUse;
  readonly entry?: SetUpEntry;
}

function showSetUpForm(service: Service, { token, use, entry }: ShownSetUp): Response {
  const page = {
    basePath: basePathOf(service),
    formToken: formTokenOf(service.vault, 'dashboard.csrf', token),
    use,
    ...(use.purpose === 'invitation' && { provider: providerOf(service) }),
    hasPassword: use.purpose === 'first' || usesPassword(service.signIn, { email: use.email, isLinked: false }),
    ...(entry && { entry }),
  };
  return respond(renderSetUp(page), { status: entry ? 422 : 200 });
}

/** Shows the form. A `token` is moved from the URL to a cookie. Opening the link does not use it up. */
const showSetUp: PageRoute = {
  method: 'get',
  path: setUpPath,
  prepare: (context) => (c) =>
    servePage(context, c, async () => {
      const { service } = context;
      const queryToken = c.req.query('token');
      const token = queryToken ?? readVisitorCookie(service, c);
      const use = await findLinkUse(service.db, service, token);
      if (!token || !use) return linkExpired(service);
      if (queryToken === undefined) return showSetUpForm(service, { token, use });
      return redirect(basePathOf(service) + setUpPath, [visitorCookie(service, token)]);
    }),
};

const submitSetUp: PageRoute = {
  method: 'post',
  path: setUpPath,
  prepare: (context) => (c) => servePage(context, c, (address) => setUp(context.service, c, address)),
};

async function setUp(service: Service, c: Context<HttpEnv>, address: Address | undefined): Promise<Response> {
  const form = await readVisitorForm(service, c);
  if (!form) return linkExpired(service);
  const { fields, visitor: token } = form;
  const entered = fields.get('email') ?? '';
  const password = fields.get('password') ?? '';
  const device = deviceWords(c.req.header('user-agent'));
  const use = await findLinkUse(service.db, service, token);
  if (!use) return signInAgain(service, c, { email: entered, password, address, device });
  // Only the first owner's link has no email address.
  const email = use.purpose === 'first' ? readAdminEmail(entered) : use.email;
  const wrongPassword = await passwordProblem(password, email);
  if (email === undefined || wrongPassword !== undefined) {
    const wrongEmail =
      email === undefined ? 'This is not a valid email address. Enter an address such as ada@example.com.' : undefined;
    const errors = { email: wrongEmail, password: wrongPassword };
    return showSetUpForm(service, { token, use, entry: { email: entered, errors } });
  }
  if (!usesPassword(service.signIn, { email, isLinked: false })) {
    const wrongEmail = 'Passwords are switched off. Enter the email address of the emergency owner (EMERGENCY_OWNER).';
    return showSetUpForm(service, { token, use, entry: { email: entered, errors: { email: wrongEmail } } });
  }
  const session = await setUpAdmin(service, { token, email, password, address, device });
  if (session === undefined) return signInAgain(service, c, { email, password, address, device });
  return redirect(`${basePathOf(service)}/dashboard`, [sessionCookie(service, session), noVisitorCookie(service)]);
}

/**
 * Responds to a form whose link is used up. A second click can send it again, and the browser shows the response to the
 * second: whoever knows the password is signed in.
 */
async function signInAgain(
  service: Service,
  c: Context<HttpEnv>,
  credentials: Omit<Credentials, 'previousToken'>,
): Promise<Response> {
  const result = await signIn(service, { ...credentials, previousToken: readSessionCookie(service, c) });
  if (result.outcome !== 'right') return linkExpired(service);
  return redirect(`${basePathOf(service)}/dashboard`, [sessionCookie(service, result.token), noVisitorCookie(service)]);
}

export const setUpPages: readonly PageRoute[] = [showSetUp, submitSetUp];
