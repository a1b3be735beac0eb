import { html } from 'hono/html';
import type { Permission } from '../../resources/admins/permissions.js';
import type { ListedSession } from '../sign-in/session.js';
import { addressCell } from '../view/address.js';
import { accountName, type Confirming, newPassword } from '../view/forms.js';
import type { AdminPage } from '../view/layout.js';
import { field, form, type Html, section, table, time } from '../view/parts.js';

export interface PasswordErrors {
  readonly current?: string | undefined;
  readonly next?: string | undefined;
}

type FormRequest = Confirming & {
  readonly formToken: string;
  readonly basePath: string;
  readonly can: (permission: Permission) => boolean;
};

interface AccountView {
  readonly sessions: readonly ListedSession[];
  /** Errors of a password change. */
  readonly errors?: PasswordErrors;
}

/** Renders a member's own account. */
export function accountPage(request: FormRequest, { sessions, errors = {} }: AccountView): AdminPage {
  const path = `${request.basePath}/dashboard/account`;
  const isWrong = errors.current !== undefined || errors.next !== undefined;
  const endOthers = form(request, { action: `${path}/sessions`, submit: 'Sign out other sessions' });
  return {
    title: 'Account',
    body: html`${request.admin.confirmAt ? providerSection(request, path, request.admin.confirmAt.name) : passwordSections(request, path, errors)}
${section('Sessions', [sessionsTable(request, path, sessions), sessions.length > 1 ? endOthers : undefined])}`,
    ...(isWrong && { status: 422 }),
  };
}

function passwordSections(request: FormRequest, path: string, errors: PasswordErrors): Html {
  const who = html`<p>You are signed in as ${request.admin.email}.</p>`;
  return html`${section('Password', [who, passwordForm(request, path, errors)])}
${section('Second factor', html`<p><a href="${path}/second-factor">Passkeys, authenticator app and recovery codes</a></p>`)}`;
}

function providerSection({ admin, can }: FormRequest, path: string, name: string): Html {
  return section('Sign-in', [
    html`<p>You are signed in as ${admin.email}, with ${name}. You change your password and second factor there.</p>`,
    can('manage_installation')
      ? html`<p><a href="${path}/second-factor">Second factor of members with a password</a></p>`
      : undefined,
  ]);
}

function sessionsTable(request: FormRequest, path: string, sessions: readonly ListedSession[]): Html {
  const rows = sessions.map(({ id, device, network, info, createdAt, lastSeenAt, isThis }) => [
    html`<span>${device}${isThis && html` <strong>(this one)</strong>`}</span>`,
    addressCell(network, info),
    time(lastSeenAt),
    time(createdAt),
    isThis ? undefined : form(request, { action: `${path}/sessions/${id}/end`, submit: 'End', small: true }),
  ]);
  return table(['Device', 'Place', 'Last used', 'Signed in', 'Actions'], rows, 'Your sessions');
}

function passwordForm(request: FormRequest, path: string, errors: PasswordErrors): Html {
  const current = field({
    name: 'current',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    error: errors.current,
  });
  const content = html`${accountName(request.admin.email)}${current}
${newPassword('New password', errors.next, 'next')}
<p class="hint">You stay signed in here and are signed out of all other browsers.</p>`;
  return form(request, { action: `${path}/password`, submit: 'Change password', content });
}
