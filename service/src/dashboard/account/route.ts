import { OperatorError } from '../../ground/operator-error.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { listAdmins, makeInvitation } from '../../resources/admins/admins.js';
import { passwordProblem, tooManyAttempts } from '../../resources/admins/rules.js';
import { administrator } from '../../resources/audit/audit.js';
import { type AdminPage, type AdminVisit, adminRoute, redirectWithNotice } from '../dashboard-route.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { endSessionsOf } from '../sign-in/session.js';
import { changePassword } from '../sign-in/sign-in.js';
import { accountPage, invitationPage } from './view.js';

type Shown = Omit<Parameters<typeof accountPage>[1], 'admins'>;

async function page(visit: AdminVisit, shown: Shown = {}): Promise<AdminPage> {
  return accountPage(visit, { admins: await listAdmins(visit.service), ...shown });
}

const show = adminRoute({ method: 'get', path: '/dashboard/account', answer: (visit) => page(visit) });

const change = adminRoute({
  method: 'post',
  path: '/dashboard/account/password',
  answer: async (visit) => {
    const { service, admin, address, fields, sessionToken } = visit;
    const next = fields.get('next') ?? '';
    const problem = await passwordProblem(next, admin.email);
    if (problem !== undefined) return page(visit, { errors: { next: problem } });
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
      return page(visit, { errors: { current: 'This password is wrong. Enter your current password.' } });
    if (result.outcome === 'locked') return page(visit, { errors: { current: tooManyAttempts(result.seconds) } });
    return redirectWithNotice(visit, '/account', {
      kind: 'good',
      text: 'Your password was changed. You were signed out of all other browsers.',
    });
  },
});

const endOthers = adminRoute({
  method: 'post',
  path: '/dashboard/account/sessions',
  answer: async (visit) => {
    const { service, admin, address, sessionToken } = visit;
    const by = administrator(admin);
    const end = { adminId: admin.id, exceptToken: sessionToken, by, network: address?.network };
    const count = await endSessionsOf(service.db, service, end);
    const text = count === 0 ? 'You were not signed in anywhere else.' : 'You were signed out of all other browsers.';
    return redirectWithNotice(visit, '/account', { kind: 'good', text });
  },
});

const invite = adminRoute({
  method: 'post',
  path: '/dashboard/account/invite',
  answer: async (visit) => {
    const email = visit.fields.get('email')?.trim() ?? '';
    return whenConfirmed(visit, {
      ask: (again) => page(again, { invited: { email } }),
      act: (confirmed) => inviteOne(confirmed, email),
    });
  },
});

async function inviteOne(visit: AdminVisit, email: string): Promise<AdminPage> {
  const { service, admin, address } = visit;
  try {
    const by = { by: administrator(admin), network: address?.network };
    return invitationPage(visit, email, await makeInvitation(service, email, by));
  } catch (error) {
    if (error instanceof OperatorError) return page(visit, { invited: { email, error: error.message } });
    throw error;
  }
}

export const account: readonly PageRoute[] = [show, change, endOthers, invite];
