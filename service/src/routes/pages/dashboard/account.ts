import { passwordProblem } from '../../../domain/dashboard/password.js';
import type { PageRoute } from '../../../http/page-route.js';
import { administrator } from '../../../operations/audit.js';
import { listAdmins } from '../../../operations/dashboard/admins.js';
import { endSessionsOf } from '../../../operations/dashboard/session.js';
import { changePassword } from '../../../operations/dashboard/sign-in.js';
import { accountPage, type PasswordErrors } from '../../../pages/dashboard/sign-in.js';
import { type AdminPage, type AdminVisit, adminRoute, leadOn } from './dashboard-route.js';
import { tooMany } from './sign-in.js';

async function page(visit: AdminVisit, errors?: PasswordErrors): Promise<AdminPage> {
  return accountPage(visit, await listAdmins(visit.service), errors);
}

const show = adminRoute({ method: 'get', path: '/dashboard/account', answer: (visit) => page(visit) });

const change = adminRoute({
  method: 'post',
  path: '/dashboard/account/password',
  answer: async (visit) => {
    const { service, admin, address, fields, sessionToken } = visit;
    const next = fields.get('next') ?? '';
    const problem = await passwordProblem(next, admin.email);
    if (problem !== undefined) return page(visit, { next: problem });
    const current = fields.get('current') ?? '';
    const tried = await changePassword(service, {
      adminId: admin.id,
      email: admin.email,
      current,
      next,
      address,
      sessionToken,
    });
    if (tried.outcome === 'wrong') return page(visit, { current: 'This is not your password.' });
    if (tried.outcome === 'locked') return page(visit, { current: tooMany(tried.seconds) });
    return leadOn(visit, '/account', {
      kind: 'good',
      text: 'Your password is changed. You are signed out everywhere else.',
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
    const text = count === 0 ? 'You were signed in nowhere else.' : 'You are signed out everywhere else.';
    return leadOn(visit, '/account', { kind: 'good', text });
  },
});

export const account: readonly PageRoute[] = [show, change, endOthers];
