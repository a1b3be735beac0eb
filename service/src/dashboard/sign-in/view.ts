import { html } from 'hono/html';
import { type Access, invitationDays, type LinkUse } from '../../resources/admins/links.js';
import type { Notice } from '../notice.js';
import { accountName, newPassword } from '../view/forms.js';
import { renderDocument, renderNotice } from '../view/layout.js';
import { field, form, type Html } from '../view/parts.js';

interface Entrance {
  readonly basePath: string;
  readonly formToken: string;
  readonly notice?: Notice | undefined;
}

/** Renders a page for visitors who are not signed in. */
export function renderEntrance(
  { basePath, notice }: Omit<Entrance, 'formToken'>,
  title: string,
  content: Html,
  scripts: readonly string[] = [],
): string {
  return renderDocument({
    basePath,
    title,
    scripts,
    narrow: true,
    header: html`<span class="brand">Whorl</span>`,
    main: html`<h1>${title}</h1>
${renderNotice(notice)}
<div class="panel">${content}</div>`,
  });
}

const emailField = (value = '') =>
  field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', required: true, value });

/**
 * Renders the sign-in form.
 *
 * @param page.next Requested page. @param page.isNew Whether no administrator exists.
 */
export function renderSignIn(page: Entrance & { readonly next: string | undefined; readonly isNew: boolean }): string {
  const { basePath, next, isNew } = page;
  if (isNew) {
    return renderEntrance(
      page,
      'Sign in',
      html`<p>There is no administrator yet. When the service started, it created a setup link. Find it in the terminal, or in
the file that the log names, and open it. Each start creates a new link.</p>`,
    );
  }
  const password = field({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const content = html`${next !== undefined && html`<input type="hidden" name="next" value="${next}"/>`}
${emailField()}
${password}`;
  const help = html`<p class="quiet hint">Forgot your password? Ask the operator of this service for a reset link:
<code>whorl-service member reset --email …</code></p>`;
  const action = `${basePath}/dashboard/sign-in`;
  return renderEntrance(page, 'Sign in', html`${form(page, { action, submit: 'Sign in', content })}${help}`);
}

export interface SetUpEntry {
  readonly email: string;
  readonly errors: { readonly email?: string | undefined; readonly password?: string | undefined };
}

const introductions = {
  first: {
    title: 'Set up the dashboard',
    text: 'Create the first account, an owner. Owners can view and change all projects, and invite others.',
    submit: 'Create account',
  },
  invitation: {
    title: 'Accept the invitation',
    text: 'Choose a password to create your account.',
    submit: 'Create account',
  },
  reset: {
    title: 'Set a new password',
    text: 'You will be signed out of all other browsers.',
    submit: 'Set password',
  },
} as const satisfies Record<LinkUse['purpose'], object>;

/** Renders the form of a setup, invitation or reset link. */
export function renderSetUp(page: Entrance & { readonly use: LinkUse; readonly entry?: SetUpEntry }): string {
  const { basePath, entry, use } = page;
  const { title, text, submit } = introductions[use.purpose];
  const email =
    use.purpose === 'first'
      ? field({
          name: 'email',
          label: 'Email address',
          type: 'email',
          autocomplete: 'username',
          required: true,
          value: entry?.email ?? '',
          error: entry?.errors.email,
        })
      : html`<p>Account: <strong>${use.email}</strong></p>${accountName(use.email)}`;
  const access = use.purpose === 'invitation' && html`<p>Role: <strong>${accessWords(use.access)}</strong></p>`;
  const content = html`<p>${text}</p>
${access}${email}
${newPassword('Password', entry?.errors.password)}`;
  const action = `${basePath}/dashboard/set-up`;
  return renderEntrance(page, title, form(page, { action, submit, content }));
}

function accessWords(access: Access): string {
  return access.role === 'owner'
    ? 'owner of this installation'
    : `${access.role} of the project ${access.project.name}`;
}

/** Renders the page for a link that was used, has expired or does not exist. */
export function renderSetUpGone(basePath: string): string {
  return renderEntrance(
    { basePath },
    'This link is no longer valid',
    html`<p>Links can be used once. Invitations expire after ${invitationDays} days, other links after one hour. Ask the person who
invited you for a new invitation, or the operator of this service for a new link: <code>whorl-service member invite</code> or
<code>whorl-service member reset</code>. If there is no administrator yet, restart the service to create a new setup link.</p>
<p><a href="${basePath}/dashboard">Sign in</a></p>`,
  );
}
