import type { Context } from 'hono';
import type { Address } from '../../addresses/addresses.js';
import { administrator, recordAudit } from '../../audit/audit.js';
import { formTokenOf } from '../../crypto/index.js';
import type { HttpEnv } from '../../http/environment.js';
import { basePathOf, redirect } from '../../http/pages/page-response.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import type { Service } from '../../service.js';
import { respond } from '../answer.js';
import { noSessionCookie, readSessionCookie, sessionCookie, visitorCookie } from '../cookies.js';
import { adminRoute, servePage } from '../dashboard-route.js';
import type { Notice } from '../notice-rules.js';
import { isSetUp } from './admins.js';
import { readNext, readVisitorForm, visitorOf } from './entrance.js';
import { endSession, findSession } from './session.js';
import { signIn } from './sign-in.js';
import { renderSignIn } from './view.js';

interface Shown {
  readonly next: string | undefined;
  readonly status?: number;
  readonly notice?: Notice;
}

async function showForm(service: Service, c: Context<HttpEnv>, { next, status = 200, notice }: Shown) {
  const visitor = visitorOf(service, c);
  const html = renderSignIn({
    basePath: basePathOf(service),
    formToken: formTokenOf(service.vault, 'dashboard.csrf', visitor),
    next,
    isNew: !(await isSetUp(service)),
    notice,
  });
  return respond(html, { status, headers: { 'Set-Cookie': visitorCookie(service, visitor) } });
}

const show: PageRoute = {
  method: 'get',
  path: '/dashboard/sign-in',
  prepare: (serving) => (c) =>
    servePage(serving, c, async () => {
      const { service } = serving;
      const next = readNext(service, c.req.query('next'));
      if (!(await findSession(service, readSessionCookie(service, c)))) return showForm(service, c, { next });
      return redirect(next ?? `${basePathOf(service)}/dashboard`);
    }),
};

const submit: PageRoute = {
  method: 'post',
  path: '/dashboard/sign-in',
  prepare: (serving) => (c) => servePage(serving, c, (address) => enter(serving.service, c, address)),
};

async function enter(service: Service, c: Context<HttpEnv>, address: Address | undefined): Promise<Response> {
  const form = await readVisitorForm(service, c);
  if (!form) return showForm(service, c, { next: undefined, status: 403, notice: bad('Please try once more.') });
  const { fields } = form;
  const next = readNext(service, fields.get('next'));
  const tried = await signIn(service, {
    email: fields.get('email') ?? '',
    password: fields.get('password') ?? '',
    address,
    previousToken: readSessionCookie(service, c),
  });
  if (tried.outcome === 'right') {
    return redirect(next ?? `${basePathOf(service)}/dashboard`, [sessionCookie(service, tried.token)]);
  }
  if (tried.outcome === 'wrong') {
    return showForm(service, c, { next, status: 422, notice: bad('The e-mail address or the password is wrong.') });
  }
  const response = await showForm(service, c, { next, status: 429, notice: bad(tooMany(tried.seconds)) });
  response.headers.set('Retry-After', String(tried.seconds));
  return response;
}

const bad = (text: string): Notice => ({ kind: 'bad', text });

/** Why no password is looked at for so long. */
export function tooMany(seconds: number): string {
  const wait = seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `There were too many wrong passwords. Try again in ${wait}.`;
}

const signOut = adminRoute({
  method: 'post',
  path: '/dashboard/sign-out',
  answer: async ({ service, admin, address, sessionToken, basePath }) => {
    await endSession(service, sessionToken);
    await recordAudit(service.db, service, { kind: 'signed_out', by: administrator(admin), network: address?.network });
    return redirect(`${basePath}/dashboard/sign-in`, [noSessionCookie(service)]);
  },
});

export const signInPages: readonly PageRoute[] = [show, submit, signOut];
