import { html } from 'hono/html';
import { copyScript } from '../assets.js';
import { accountName, type Confirming, newPassword, passwordAgain, shownOnce } from '../view/forms.js';
import type { AdminPage } from '../view/layout.js';
import { field, form, type Html, section, table, time } from '../view/parts.js';

export interface PasswordErrors {
  readonly current?: string | undefined;
  readonly next?: string | undefined;
}

export interface ListedAdmin {
  readonly email: string;
  readonly createdAt: Date;
}

interface AccountView {
  readonly admins: readonly ListedAdmin[];
  /** Errors of a password change. */
  readonly errors?: PasswordErrors;
  /** The entered email address of an invitation, and its error. */
  readonly invited?: { readonly email: string; readonly error?: string };
}

type FormRequest = Confirming & { readonly formToken: string; readonly basePath: string };

/** Renders an administrator's account, with the list of administrators. */
export function accountPage(request: FormRequest, { admins, errors = {}, invited }: AccountView): AdminPage {
  const path = `${request.basePath}/dashboard/account`;
  const isWrong = errors.current !== undefined || errors.next !== undefined || invited?.error !== undefined;
  const endOthers = form(request, { action: `${path}/sessions`, submit: 'Sign out other sessions' });
  return {
    title: 'Account',
    body: html`${section('Password', [html`<p>You are signed in as ${request.admin.email}.</p>`, passwordForm(request, path, errors)])}
${section('Sessions', [html`<p>Signs you out of all other browsers.</p>`, endOthers])}
${section('Administrators', [adminTable(admins), adminHint])}
${section('Invite an administrator', [inviteForm(request, path, invited)])}`,
    ...(isWrong && { status: 422 }),
  };
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

function inviteForm(request: FormRequest, path: string, invited: AccountView['invited']): Html {
  const email = field({
    name: 'email',
    label: 'Email address',
    type: 'email',
    autocomplete: 'off',
    required: true,
    value: invited?.email,
    error: invited?.error,
    hint: 'You get an invitation link to send to this person. They become an administrator when they use it.',
  });
  return form(request, {
    action: `${path}/invite`,
    submit: 'Create invitation',
    content: [email, passwordAgain(request)],
  });
}

function adminTable(admins: readonly ListedAdmin[]): Html {
  const rows = admins.map(({ email, createdAt }) => [email, time(createdAt)]);
  return table(['Email address', 'Added'], rows, 'All administrators');
}

const adminHint = html`<p class="hint">Administrators can view and change all projects. To remove one, run
<code>whorl-service dashboard remove</code>.</p>`;

/** Renders the only page that shows an invitation link. */
export function invitationPage({ basePath }: Pick<FormRequest, 'basePath'>, email: string, link: string): AdminPage {
  return {
    title: 'Invitation created',
    scripts: [copyScript.url],
    body: html`<section class="panel"><p>This link is for ${email}. It can be used once and is valid for one hour. Share it as carefully as a password.</p>
${shownOnce('Invitation link', link)}
<p><a href="${basePath}/dashboard/account">Back to your account</a></p></section>`,
  };
}
