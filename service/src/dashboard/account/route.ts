import { OperatorError } from '../../ground/operator-error.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { listAdmins, makeInvitation } from '../../resources/admins/admins.js';
import { passwordProblem, tooManyAttempts } from '../../resources/admins/rules.js';
import { administrator } from '../../resources/audit/audit.js';
import { type AdminPage, type AdminRequest, adminRoute, redirectWithNotice } from '../dashboard-route.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { endSessionsOf } from '../sign-in/session.js';
import { changePassword } from '../sign-in/sign-in.js';
import { accountPage, invitationPage } from './view.js';

type Shown = Omit<Parameters<typeof accountPage>[1], 'admins'>;

async function page(request: AdminRequest, shown: Shown = {}): Promise<AdminPage> {
  return accountPage(request, { admins: await listAdmins(request.service), ...shown });
}

const show = adminRoute({ method: 'get', path: '/dashboard/account', handle: (request) => page(request) });

const change = adminRoute({
  method: 'post',
  path: '/dashboard/account/password',
  handle: async (request) => {
    const { service, admin, address, fields, sessionToken } = request;
    const next = fields.get('next') ?? '';
    const problem = await passwordProblem(next, admin.email);
    if (problem !== undefined) return page(request, { errors: { next: problem } });
    const current = fields.get('current') ?? '';
    const result = await changePassword(service, {
      adminId: admin.id,
      email: admin.email,
      current,
      next,
      address,
      sessionToken,
    });
    if (result.outcome === 'wrong')
      return page(request, { errors: { current: 'This password is wrong. Enter your current password.' } });
    if (result.outcome === 'locked') return page(request, { errors: { current: tooManyAttempts(result.seconds) } });
    return redirectWithNotice(request, '/account', {
      kind: 'good',
      text: 'Your password was changed. You were signed out of all other browsers.',
    });
  },
});

const endOthers = adminRoute({
  method: 'post',
  path: '/dashboard/account/sessions',
  handle: async (request) => {
    const { service, admin, address, sessionToken } = request;
    const by = administrator(admin);
    const end = { adminId: admin.id, exceptToken: sessionToken, by, network: address?.network };
    const count = await endSessionsOf(service.db, service, end);
    const text = count === 0 ? 'You were not signed in anywhere else.' : 'You were signed out of all other browsers.';
    return redirectWithNotice(request, '/account', { kind: 'good', text });
  },
});

const invite = adminRoute({
  method: 'post',
  path: '/dashboard/account/invite',
  handle: async (request) => {
    const email = request.fields.get('email')?.trim() ?? '';
    return whenConfirmed(request, {
      ask: (again) => page(again, { invited: { email } }),
      act: (confirmed) => inviteOne(confirmed, email),
    });
  },
});

async function inviteOne(request: AdminRequest, email: string): Promise<AdminPage> {
  const { service, admin, address } = request;
  try {
    const by = { by: administrator(admin), network: address?.network };
    return invitationPage(request, email, await makeInvitation(service, email, by));
  } catch (error) {
    if (error instanceof OperatorError) return page(request, { invited: { email, error: error.message } });
    throw error;
  }
}

export const account: readonly PageRoute[] = [show, change, endOthers, invite];
