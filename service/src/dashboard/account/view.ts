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
  /** What was wrong with a change of the password. */
  readonly errors?: PasswordErrors;
  /** What was entered to invite somebody, and what was wrong with it. */
  readonly invited?: { readonly email: string; readonly error?: string };
}

type Visit = Confirming & { readonly formToken: string; readonly basePath: string };

/** An administrator's own page, with who else is one. */
export function accountPage(visit: Visit, { admins, errors = {}, invited }: AccountView): AdminPage {
  const path = `${visit.basePath}/dashboard/account`;
  const isWrong = errors.current !== undefined || errors.next !== undefined || invited?.error !== undefined;
  const endOthers = form(visit, { action: `${path}/sessions`, submit: 'Sign out everywhere else' });
  return {
    title: 'Account',
    body: html`${section('Password', [html`<p>You are ${visit.admin.email}.</p>`, passwordForm(visit, path, errors)])}
${section('Sessions', [html`<p>Ends your sessions in all other browsers.</p>`, endOthers])}
${section('Administrators', [adminTable(admins), adminHint])}
${section('Invite an administrator', [inviteForm(visit, path, invited)])}`,
    ...(isWrong && { status: 422 }),
  };
}

function passwordForm(visit: Visit, path: string, errors: PasswordErrors): Html {
  const current = field({
    name: 'current',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    error: errors.current,
  });
  const content = html`${accountName(visit.admin.email)}${current}
${newPassword('New password', errors.next, 'next')}
<p class="hint">You stay signed in here, and are signed out everywhere else.</p>`;
  return form(visit, { action: `${path}/password`, submit: 'Change password', content });
}

function inviteForm(visit: Visit, path: string, invited: AccountView['invited']): Html {
  const email = field({
    ...{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'off', required: true },
    ...{ value: invited?.email, error: invited?.error },
    hint: 'You get a link to pass on, by which the person with this address becomes an administrator.',
  });
  return form(visit, { action: `${path}/invite`, submit: 'Invite', content: [email, passwordAgain(visit)] });
}

function adminTable(admins: readonly ListedAdmin[]): Html {
  const rows = admins.map(({ email, createdAt }) => [email, time(createdAt)]);
  return table(['E-mail address', 'Since'], rows, 'All administrators');
}

const adminHint = html`<p class="hint">All of them see and change all projects. <code>whorl-service dashboard remove</code> ends
the access of one.</p>`;

/** The answer to an invitation: the one page that shows its link. */
export function invitationPage({ basePath }: Pick<Visit, 'basePath'>, email: string, link: string): AdminPage {
  return {
    title: 'The invitation',
    scripts: [copyScript.url],
    body: html`<section class="panel"><p>For ${email}. The link works once, within an hour. Pass it on as you would a password.</p>
${shownOnce('Link', link)}
<p><a href="${basePath}/dashboard/account">Back to the account</a></p></section>`,
  };
}
