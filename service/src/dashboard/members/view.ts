import { html } from 'hono/html';
import type { OpenInvitation } from '../../resources/admins/invitations.js';
import { invitationDays } from '../../resources/admins/links.js';
import type { Member } from '../../resources/admins/members.js';
import { permissions, projectRoles, type Role, roles } from '../../resources/admins/permissions.js';
import { copyScript } from '../assets.js';
import { type Confirming, passwordAgain, shownOnce } from '../view/forms.js';
import type { AdminPage } from '../view/layout.js';
import { emptyState, field, folded, form, type Html, section, table, time } from '../view/parts.js';

export interface NamedProject {
  readonly id: string;
  readonly name: string;
}

/** OpenID Connect provider with which members sign in. */
export interface MembersProvider {
  readonly name: string;
  readonly givesRoles: boolean;
  /** Whether passwords are switched off. */
  readonly isOnlyWay: boolean;
}

/** Where members are shown: in one project, or in the whole installation. */
export interface MembersPlace extends Confirming {
  readonly formToken: string;
  /** Path of the page. */
  readonly path: string;
  /** Project of the page; undefined for the whole installation. */
  readonly projectId: string | undefined;
  /** All projects, for names and choices. */
  readonly projects: readonly NamedProject[];
  /** ID of the member who looks at the page. */
  readonly ownId: string;
  readonly provider: MembersProvider | undefined;
}

export interface InvitationEntry {
  readonly email: string;
  readonly role: string;
  readonly project: string;
  readonly error?: string | undefined;
}

interface MembersView {
  readonly members: readonly Member[];
  readonly invitations: readonly OpenInvitation[];
  /** Values of an invitation that was refused. */
  readonly entry?: InvitationEntry;
}

/** Renders the members with their roles, the open invitations, and the form for another one. */
export function membersPage(place: MembersPlace, { members, invitations, entry }: MembersView): AdminPage {
  const { path } = place;
  const memberRows = members.map((member) => [
    member.email,
    rolesOf(place, member),
    time(member.createdAt),
    isChangeable(place, member)
      ? html`<a href="${path}/${member.id}" aria-label="Change ${member.email}">Change</a>`
      : undefined,
  ]);
  const invitationRows = invitations.map((each) => [
    each.email,
    each.projectId === undefined ? each.role : `${each.role} of ${nameOf(place, each.projectId)}`,
    time(each.expiresAt),
    form(place, { action: `${path}/invitations/${each.id}/revoke`, submit: 'Revoke', small: true }),
  ]);
  const invited =
    invitationRows.length > 0
      ? table(['Email address', 'Role', 'Valid until', 'Actions'], invitationRows, 'Open invitations')
      : emptyState('No open invitations.');
  return {
    title: place.projectId === undefined ? 'All members' : 'Members',
    body: html`${section('Members', [table(['Email address', 'Role', 'Since', 'Actions'], memberRows, 'Members'), ownersNote(place)])}
${section('Open invitations', invited)}
${section('Invite a person', invitePart(place, entry))}
${folded('Roles', 'what each role may do', roleTable())}`,
    ...(entry?.error !== undefined && { status: 422 }),
  };
}

/** Renders the form for another member, unless only the provider gives roles. */
function invitePart(place: MembersPlace, entry: InvitationEntry | undefined): Html {
  const { provider } = place;
  if (!provider?.givesRoles) return inviteForm(place, entry);
  const note = html`<p class="hint">Members who sign in with ${provider.name} get their roles there, and need no invitation.</p>`;
  if (provider.isOnlyWay) return note;
  return html`${note}<p class="hint">Invite only people who sign in with a password.</p>${inviteForm(place, entry)}`;
}

function ownersNote({ projectId }: MembersPlace): Html | undefined {
  if (projectId === undefined) return undefined;
  return html`<p class="hint">Owners belong to the installation. Only another owner can change or remove them.</p>`;
}

function isChangeable({ projectId }: MembersPlace, { isOwner }: Member): boolean {
  return projectId === undefined || !isOwner;
}

function rolesOf(place: MembersPlace, { isOwner, roles: inProjects }: Member): Html | string {
  if (isOwner) return 'owner';
  if (place.projectId !== undefined) return inProjects.get(place.projectId) ?? '';
  const lines = [...inProjects].map(([id, role]) => html`<li>${role} of ${nameOf(place, id)}</li>`);
  return html`<ul class="plain">${lines}</ul>`;
}

function nameOf({ projects }: MembersPlace, id: string): string {
  return projects.find((project) => project.id === id)?.name ?? id;
}

function inviteForm(place: MembersPlace, entry: InvitationEntry | undefined): Html {
  const email = field({
    name: 'email',
    label: 'Email address',
    type: 'email',
    autocomplete: 'off',
    required: true,
    value: entry?.email,
    error: entry?.error,
    hint: `The person gets an email with a link, which works once, within ${invitationDays} days. If email is not configured, you get the link. Somebody who has an account already gets the role at once.`,
  });
  return form(place, {
    action: place.path,
    submit: 'Invite',
    content: [
      email,
      ...roleFields(place, { role: entry?.role ?? 'viewer', project: entry?.project }),
      passwordAgain(place),
    ],
  });
}

function roleFields(
  { projectId, projects }: MembersPlace,
  chosen: { readonly role: string; readonly project?: string | undefined },
): Html[] {
  const choices: readonly Role[] = projectId === undefined ? roles : projectRoles;
  const role = field({
    type: 'choice',
    name: 'role',
    label: 'Role',
    value: chosen.role,
    options: choices.map((value) => ({ value, label: value })),
  });
  if (projectId !== undefined) return [role];
  const project = field({
    type: 'choice',
    name: 'project',
    label: 'Project',
    value: chosen.project,
    hint: 'An owner has every permission in all projects.',
    options: projects.map(({ id, name }) => ({ value: id, label: name })),
  });
  return [role, project];
}

/** Renders who is allowed to do what, from the table of permissions. */
function roleTable(): Html {
  const rows = Object.values(permissions).map(({ least, words }) => [
    words,
    ...roles.map((role) => (roles.indexOf(role) >= roles.indexOf(least) ? 'yes' : undefined)),
  ]);
  return table(['Permission', ...roles], rows, 'Permissions of each role');
}

export interface MemberView {
  readonly member: Member;
  /** Values of the form, if it was refused. */
  readonly entry?: { readonly role: string; readonly project: string };
}

/** Renders the forms that change the role of a member, or remove it. */
export function memberPage(place: MembersPlace, { member, entry }: MemberView): AdminPage {
  const { path, projectId, ownId } = place;
  const role = entry?.role ?? (member.isOwner ? 'owner' : ((projectId && member.roles.get(projectId)) ?? 'viewer'));
  const where = projectId === undefined ? 'the installation' : 'this project';
  const isSelf = member.id === ownId;
  const who = isSelf ? 'You lose' : 'The person loses';
  return {
    title: member.email,
    body: html`<p><a href="${path}">Back to all members</a></p>
${isSelf && html`<p class="notice warn">This is your own account.</p>`}
${section('Role', [
  html`<p class="quiet">Now: ${rolesOf(place, member)}</p>`,
  member.isLinked && place.provider?.givesRoles
    ? html`<p class="notice warn">${place.provider.name} gives this role. The next sign-in sets it again.</p>`
    : undefined,
  form(place, {
    action: `${path}/${member.id}/role`,
    submit: 'Change role',
    content: [
      ...roleFields(place, { role, project: entry?.project }),
      html`<p class="hint">A role that allows less ends the sessions of the account at once.</p>`,
      passwordAgain(place),
    ],
  }),
])}
${projectId === undefined && !isSelf && member.hasFactor && factorsSection(place, member)}
${section('Remove', [
  html`<p>${who} access to ${where} at once, and all sessions end. An account without any project is deleted. The audit log keeps its entries.</p>`,
  form(place, {
    action: `${path}/${member.id}/remove`,
    submit: 'Remove member',
    danger: true,
    content: passwordAgain(place, 'remove-password'),
  }),
])}`,
  };
}

/** Renders the form for a member who has lost the second factors. */
function factorsSection(place: MembersPlace, { id }: Member): Html {
  return section('Second factor', [
    html`<p>Removes all passkeys, the authenticator app and the recovery codes of the account, and ends its sessions. Make sure first that the person who asks you is the member.</p>`,
    form(place, {
      action: `${place.path}/${id}/remove-factors`,
      submit: 'Remove second factors',
      danger: true,
      content: passwordAgain(place, 'factors-password'),
    }),
  ]);
}

/** Renders the only page that shows an invitation link. */
export function invitationPage({ path }: Pick<MembersPlace, 'path'>, email: string, link: string): AdminPage {
  return {
    title: 'Invitation created',
    scripts: [copyScript.url],
    body: html`<section class="panel"><p>Email is not configured, so send this link to ${email} yourself. It works once, within ${invitationDays} days. Share it as carefully as a password.</p>
${shownOnce('Invitation link', link)}
<p><a href="${path}">Back to all members</a></p></section>`,
  };
}
