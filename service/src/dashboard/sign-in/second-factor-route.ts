import type { Context } from 'hono';
import { formTokenOf, isFormTokenOf } from '../../ground/crypto/index.js';
import type { HttpEnv } from '../../http/environment.js';
import { basePathOf, redirect } from '../../http/pages/page-response.js';
import { type PageRoute, readForm } from '../../http/pages/page-route.js';
import type { Address } from '../../resources/addresses/addresses.js';
import { readFactors, type SpentCode, spendCode } from '../../resources/admins/factors.js';
import { tooManyAttempts } from '../../resources/admins/rules.js';
import { administrator, recordAudit, recordFailedSignIn } from '../../resources/audit/audit.js';
import type { Service } from '../../resources/service.js';
import { servePage } from '../dashboard-route.js';
import type { Notice } from '../notice.js';
import { isFromOwnPage, noSessionCookie, readNext, readSessionCookie, sessionCookie } from '../request.js';
import { respond } from '../respond.js';
import { countCodeAttempt, resetCodeAttempts } from './lock-out.js';
import { authenticationOptions, isPasskeyProven } from './passkeys.js';
import { renderSecondFactor } from './second-factor-view.js';
import { beginSession, endSession, findSession, findWaitingSession, type WaitingSession } from './session.js';

const path = '/dashboard/second-factor';
/** Answers of authenticators are a few kilobytes. */
const formLimitBytes = 32 * 1024;

const bad = (text: string): Notice => ({ kind: 'bad', text });

interface Shown {
  readonly next: string | undefined;
  readonly status?: number;
  readonly notice?: Notice;
}

async function showForm(service: Service, waiting: WaitingSession, { next, status = 200, notice }: Shown) {
  const [factors, passkeyOptions] = await Promise.all([
    readFactors(service.db, waiting.admin.id),
    authenticationOptions(service, waiting),
  ]);
  const html = renderSecondFactor({
    basePath: basePathOf(service),
    formToken: formTokenOf(service.vault, 'dashboard.csrf', waiting.token),
    email: waiting.admin.email,
    factors,
    passkeyOptions,
    next,
    notice,
  });
  return respond(html, { status });
}

/** Returns where somebody who waits for no second factor belongs. */
async function redirectOthers(service: Service, c: Context<HttpEnv>, next: string | undefined): Promise<Response> {
  const dashboard = `${basePathOf(service)}/dashboard`;
  const token = readSessionCookie(service, c);
  if (await findSession(service, token)) return redirect(next ?? dashboard);
  return redirect(`${dashboard}/sign-in`, token === undefined ? [] : [noSessionCookie(service)]);
}

const show: PageRoute = {
  method: 'get',
  path,
  prepare: (context) => (c) =>
    servePage(context, c, async () => {
      const { service } = context;
      const next = readNext(service, c.req.query('next'));
      const waiting = await findWaitingSession(service, readSessionCookie(service, c));
      return waiting ? showForm(service, waiting, { next }) : redirectOthers(service, c, next);
    }),
};

const submit: PageRoute = {
  method: 'post',
  path,
  prepare: (context) => (c) => servePage(context, c, (address) => submitFactor(context.service, c, address)),
};

async function submitFactor(service: Service, c: Context<HttpEnv>, address: Address | undefined): Promise<Response> {
  const waiting = await findWaitingSession(service, readSessionCookie(service, c));
  if (!waiting) return redirectOthers(service, c, undefined);
  const fields = isFromOwnPage(c, service.publicUrl) ? await readForm(c, formLimitBytes) : new URLSearchParams();
  if (!isFormTokenOf(service.vault, 'dashboard.csrf', waiting.token, fields.get('csrf'))) {
    return showForm(service, waiting, {
      next: undefined,
      status: 403,
      notice: bad('The form has expired. Try again.'),
    });
  }
  const next = readNext(service, fields.get('next'));
  const seconds = await countCodeAttempt(service, waiting.admin.id);
  if (seconds > 0) {
    const response = await showForm(service, waiting, {
      next,
      status: 429,
      notice: bad(tooManyAttempts(seconds, 'codes')),
    });
    response.headers.set('Retry-After', String(seconds));
    return response;
  }
  const factor = await provenFactor(service, waiting, fields);
  if (!factor) {
    const failed = { adminId: waiting.admin.id, network: address?.network, at: 'second factor' };
    await recordFailedSignIn(service.db, service, failed);
    const notice = bad('This is not right, or was used before. Enter the code that the app shows now, or another one.');
    return showForm(service, waiting, { next, status: 422, notice });
  }
  const token = await completeSignIn(service, waiting, factor, address);
  return redirect(next ?? `${basePathOf(service)}/dashboard`, [sessionCookie(service, token)]);
}

type Factor = SpentCode | 'passkey';

async function provenFactor(
  service: Service,
  waiting: WaitingSession,
  fields: URLSearchParams,
): Promise<Factor | undefined> {
  const passkey = fields.get('passkey');
  if (passkey) return (await isPasskeyProven(service, waiting, passkey)) ? 'passkey' : undefined;
  return spendCode(service.db, service, waiting.admin.id, fields.get('code') ?? '');
}

/** Replaces the waiting session by one that is signed in. Returns its token. */
async function completeSignIn(
  service: Service,
  { token, admin, device }: WaitingSession,
  factor: Factor,
  address: Address | undefined,
): Promise<string> {
  const network = address?.network;
  await endSession(service, token);
  return service.db.transaction().execute(async (trx) => {
    await resetCodeAttempts(trx, service, admin.id);
    const begun = await beginSession(trx, service, admin.id, { device, network });
    await recordAudit(trx, service, {
      kind: 'signed_in',
      by: administrator(admin),
      network,
      details: { second_factor: factor },
    });
    return begun;
  });
}

export const secondFactorPages: readonly PageRoute[] = [show, submit];
