import type { PageRoute } from '../../http/pages/page-route.js';
import { passwordProblem, tooManyAttempts } from '../../resources/admins/rules.js';
import { administrator } from '../../resources/audit/audit.js';
import { type AdminPage, type AdminRequest, adminRoute, redirectWithNotice } from '../dashboard-route.js';
import { idIn } from '../request.js';
import { endSessionById, endSessionsOf, listSessions } from '../sign-in/session.js';
import { changePassword } from '../sign-in/sign-in.js';
import { accountPage, type PasswordErrors } from './view.js';

const permission = 'use_account';

async function page(request: AdminRequest, errors?: PasswordErrors): Promise<AdminPage> {
  const { service, admin, sessionToken } = request;
  return accountPage(request, {
    sessions: await listSessions(service, admin.id, sessionToken),
    ...(errors && { errors }),
  });
}

const show = adminRoute({
  method: 'get',
  path: '/dashboard/account',
  permission,
  handle: (request) => page(request),
});

const change = adminRoute({
  method: 'post',
  path: '/dashboard/account/password',
  permission,
  handle: async (request) => {
    const { service, admin, address, fields, sessionToken } = request;
    const next = fields.get('next') ?? '';
    const problem = await passwordProblem(next, admin.email);
    if (problem !== undefined) return page(request, { next: problem });
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
      return page(request, { current: 'This password is wrong. Enter your current password.' });
    if (result.outcome === 'locked') return page(request, { current: tooManyAttempts(result.seconds) });
    return redirectWithNotice(request, '/account', {
      kind: 'good',
      text: 'Your password was changed. You were signed out of all other browsers.',
    });
  },
});

const endOthers = adminRoute({
  method: 'post',
  path: '/dashboard/account/sessions',
  permission,
  handle: async (request) => {
    const { service, admin, address, sessionToken } = request;
    const by = administrator(admin);
    const end = { adminId: admin.id, exceptToken: sessionToken, by, network: address?.network };
    const count = await endSessionsOf(service.db, service, end);
    const text = count === 0 ? 'You were not signed in anywhere else.' : 'You were signed out of all other browsers.';
    return redirectWithNotice(request, '/account', { kind: 'good', text });
  },
});

const endOne = adminRoute({
  method: 'post',
  path: '/dashboard/account/sessions/{session}/end',
  permission,
  handle: async (request) => {
    const { service, admin, address, params } = request;
    const id = idIn(params.session);
    const end = { adminId: admin.id, by: administrator(admin), network: address?.network };
    const isEnded = id !== undefined && (await endSessionById(service, id, end));
    return redirectWithNotice(request, '/account', {
      kind: 'good',
      text: isEnded ? 'The session has ended.' : 'This session had already ended.',
    });
  },
});

export const account: readonly PageRoute[] = [show, change, endOthers, endOne];
