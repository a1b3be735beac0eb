import type { Context } from 'hono';
import type { Address } from '../../addresses/addresses.js';
import { formTokenOf } from '../../crypto/index.js';
import type { HttpEnv } from '../../http/environment.js';
import { basePathOf, redirect } from '../../http/pages/page-response.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import type { Service } from '../../service.js';
import { respond } from '../answer.js';
import { noVisitorCookie, readVisitorCookie, sessionCookie, visitorCookie } from '../cookies.js';
import { servePage } from '../dashboard-route.js';
import { findLinkUse, type LinkUse } from './admin-links.js';
import { readAdminEmail } from './admins.js';
import { readVisitorForm } from './entrance.js';
import { passwordProblem } from './password-rules.js';
import { setUpAdmin } from './set-up.js';
import { renderSetUp, renderSetUpGone, type SetUpEntry } from './view.js';

const path = '/dashboard/set-up';

function gone(service: Service): Response {
  return respond(renderSetUpGone(basePathOf(service)), { status: 403 });
}

interface Shown {
  readonly token: string;
  readonly use: LinkUse;
  readonly entry?: SetUpEntry;
}

function showForm(service: Service, { token, use, entry }: Shown): Response {
  const page = {
    basePath: basePathOf(service),
    formToken: formTokenOf(service.vault, 'dashboard.csrf', token),
    use,
    ...(entry && { entry }),
  };
  return respond(renderSetUp(page), { status: entry ? 422 : 200 });
}

/** With a `token`: it goes into a cookie, out of the address. What looks at the link does not use it up. */
const show: PageRoute = {
  method: 'get',
  path,
  prepare: (serving) => (c) =>
    servePage(serving, c, async () => {
      const { service } = serving;
      const given = c.req.query('token');
      const token = given ?? readVisitorCookie(service, c);
      const use = await findLinkUse(service.db, service, token);
      if (!token || !use) return gone(service);
      if (given === undefined) return showForm(service, { token, use });
      return redirect(basePathOf(service) + path, [visitorCookie(service, token)]);
    }),
};

const submit: PageRoute = {
  method: 'post',
  path,
  prepare: (serving) => (c) => servePage(serving, c, (address) => setUp(serving.service, c, address)),
};

async function setUp(service: Service, c: Context<HttpEnv>, address: Address | undefined): Promise<Response> {
  const form = await readVisitorForm(service, c);
  const use = form && (await findLinkUse(service.db, service, form.visitor));
  if (!form || !use) return gone(service);
  const { fields, visitor: token } = form;
  const given = fields.get('email') ?? '';
  const password = fields.get('password') ?? '';
  // Of all links, only the first administrator's has no address of its own.
  const email = use.purpose === 'first' ? readAdminEmail(given) : use.email;
  const wrongPassword = await passwordProblem(password, email);
  if (email === undefined || wrongPassword !== undefined) {
    const wrongEmail =
      email === undefined ? 'This is not an e-mail address. Enter one such as ada@example.com.' : undefined;
    return showForm(service, {
      token,
      use,
      entry: { email: given, errors: { email: wrongEmail, password: wrongPassword } },
    });
  }
  const session = await setUpAdmin(service, { token, email, password, address });
  if (session === undefined) return gone(service);
  return redirect(`${basePathOf(service)}/dashboard`, [sessionCookie(service, session), noVisitorCookie(service)]);
}

export const setUpPages: readonly PageRoute[] = [show, submit];
