import { ApiError } from '../../ground/errors.js';
import { OperatorError } from '../../ground/operator-error.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { changeAccess, removeFactorsOf, removeMember } from '../../resources/admins/change-members.js';
import { listInvitations, revokeInvitation } from '../../resources/admins/invitations.js';
import { inviteMember } from '../../resources/admins/invite.js';
import type { Access } from '../../resources/admins/links.js';
import { listMembers, type Member } from '../../resources/admins/members.js';
import { isRole } from '../../resources/admins/permissions.js';
import { listProjects } from '../../resources/projects/projects.js';
import { type AdminRequest, type DashboardRequest, originOf } from '../dashboard-request.js';
import {
  type AdminPage,
  adminRoute,
  type DashboardPage,
  dashboardRoute,
  redirectWithNotice,
} from '../dashboard-route.js';
import { idIn } from '../request.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { invitationPage, type MembersPlace, memberPage, membersPage } from './view.js';

type MembersRequest = AdminRequest | DashboardRequest;

function scopeOf(request: MembersRequest): string | undefined {
  return 'world' in request ? request.world.projectId : undefined;
}

async function placeOf(request: MembersRequest): Promise<MembersPlace> {
  const { formToken, admin, isConfirmed, confirmationError, basePath, service } = request;
  const { provider, localPasswords } = service.signIn;
  const projectId = scopeOf(request);
  const projects = await listProjects(service);
  return {
    formToken,
    admin,
    isConfirmed,
    confirmationError,
    path: `${'base' in request ? request.base : `${basePath}/dashboard`}/members`,
    projectId,
    projects: projectId === undefined ? projects : projects.filter(({ id }) => id === projectId),
    ownId: admin.id,
    provider: provider && { name: provider.name, givesRoles: provider.roles.length > 0, isOnlyWay: !localPasswords },
  };
}

async function showMembers(request: MembersRequest, error?: string): Promise<AdminPage> {
  const { service, fields } = request;
  const scope = scopeOf(request);
  const [place, members, invitations] = await Promise.all([
    placeOf(request),
    listMembers(service, scope),
    listInvitations(service, scope),
  ]);
  const [email = '', role = '', project = ''] = ['email', 'role', 'project'].map((name) => fields.get(name) ?? '');
  const entry = email === '' ? undefined : { email, role, project, error };
  return membersPage(place, { members, invitations, ...(entry && { entry }) });
}

/** @throws {ApiError} `not_found`, also for a member of another project */
async function memberOf(request: MembersRequest): Promise<Member> {
  const scope = scopeOf(request);
  const members = await listMembers(request.service, scope);
  const id = idIn(request.params.member);
  const member = members.find((each) => each.id === id);
  if (member && (scope === undefined || !member.isOwner)) return member;
  throw new ApiError('not_found', { detail: 'This member does not exist. It may have been removed.' });
}

async function showMember(request: MembersRequest): Promise<AdminPage> {
  const { fields } = request;
  const [place, member] = await Promise.all([placeOf(request), memberOf(request)]);
  const role = fields.get('role');
  return memberPage(place, { member, ...(role !== null && { entry: { role, project: fields.get('project') ?? '' } }) });
}

/**
 * Returns the chosen role, with its project.
 *
 * @throws {ApiError} `invalid_request` for a role that cannot be given here
 */
async function readAccess(request: MembersRequest): Promise<Access> {
  const role = request.fields.get('role');
  const scope = scopeOf(request);
  if (isRole(role) && role === 'owner' && scope === undefined) return { role };
  const id = scope ?? idIn(request.fields.get('project'));
  const project = (await listProjects(request.service)).find((each) => each.id === id);
  if (project && isRole(role) && role !== 'owner') return { role, project };
  throw new ApiError('invalid_request', { detail: 'Choose a role and a project. Go back and choose them.' });
}

async function invite(request: MembersRequest): Promise<AdminPage | Response> {
  const { service, admin } = request;
  const email = request.fields.get('email')?.trim() ?? '';
  const access = await readAccess(request);
  try {
    const invitation = { email, access, invitedBy: admin.id, inviter: admin.email, origin: originOf(request) };
    const result = await inviteMember(service, invitation);
    if (result.outcome === 'link') return invitationPage(await placeOf(request), email, result.link);
    const text = result.outcome === 'sent' ? `The invitation was sent to ${email}.` : `${email} is a member now.`;
    return redirectWithNotice(request, '/members', { kind: 'good', text });
  } catch (error) {
    if (error instanceof OperatorError) return showMembers(request, error.message);
    throw error;
  }
}

/** Runs a change of a member after the password was confirmed. Errors are shown on the list. */
async function change(
  request: MembersRequest,
  text: string,
  act: (request: MembersRequest, member: Member) => Promise<void>,
): Promise<AdminPage | Response> {
  const member = await memberOf(request);
  return whenConfirmed(request, {
    ask: showMember,
    act: async (confirmed) => {
      try {
        await act(confirmed, member);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return redirectWithNotice(request, '/members', { kind: 'bad', text: error.message });
      }
      // The own session has ended if the own role was lowered; sign-in follows.
      return redirectWithNotice(request, '/members', { kind: 'good', text });
    },
  });
}

const changeRole = (request: MembersRequest) =>
  change(request, 'The role was changed.', async (confirmed, { id: memberId }) => {
    const access = await readAccess(confirmed);
    const choice = { memberId, scope: scopeOf(confirmed), origin: originOf(confirmed) };
    await changeAccess(confirmed.service, { ...choice, access });
  });

const remove = (request: MembersRequest) =>
  change(request, 'The member was removed.', (confirmed, { id: memberId }) =>
    removeMember(confirmed.service, { memberId, scope: scopeOf(confirmed), origin: originOf(confirmed) }),
  );

const removeFactors = (request: MembersRequest) =>
  change(request, 'The second factors were removed.', (confirmed, { id }) => {
    if (id === confirmed.admin.id)
      throw new OperatorError('Remove your own second factors on the page of your account.');
    return removeFactorsOf(confirmed.service, id, originOf(confirmed));
  });

async function revoke(request: MembersRequest): Promise<Response> {
  const id = idIn(request.params.invitation);
  if (id === undefined) throw new ApiError('not_found', { detail: 'This invitation does not exist.' });
  try {
    await revokeInvitation(request.service, scopeOf(request), id, originOf(request));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return redirectWithNotice(request, '/members', { kind: 'bad', text: error.message });
  }
  return redirectWithNotice(request, '/members', { kind: 'good', text: 'The invitation was revoked.' });
}

interface Step {
  readonly method: 'get' | 'post';
  readonly ending: string;
  readonly handle: (request: MembersRequest) => Promise<AdminPage | Response>;
}

const steps: readonly Step[] = [
  { method: 'get', ending: '', handle: (request) => showMembers(request) },
  {
    method: 'post',
    ending: '',
    handle: (request) => whenConfirmed(request, { ask: (again) => showMembers(again), act: invite }),
  },
  { method: 'get', ending: '/{member}', handle: showMember },
  { method: 'post', ending: '/{member}/role', handle: changeRole },
  { method: 'post', ending: '/{member}/remove', handle: remove },
  { method: 'post', ending: '/invitations/{invitation}/revoke', handle: revoke },
];

/** Adds the section of a page within a project. */
async function inSection(page: Promise<AdminPage | Response>): Promise<DashboardPage | Response> {
  const shown = await page;
  return shown instanceof Response ? shown : { ...shown, section: 'members' };
}

/** Pages that list, invite, change and remove the members of a project, and those of the installation. */
export const members: readonly PageRoute[] = [
  ...[...steps, { method: 'post', ending: '/{member}/remove-factors', handle: removeFactors } as const].map(
    ({ method, ending, handle }) =>
      adminRoute({ method, path: `/dashboard/members${ending}`, permission: 'manage_installation', handle }),
  ),
  ...steps.map(({ method, ending, handle }) =>
    dashboardRoute({
      method,
      path: `/dashboard/{project}/{mode}/members${ending}`,
      permission: 'manage_members',
      handle: (request) => inSection(handle(request)),
    }),
  ),
];
