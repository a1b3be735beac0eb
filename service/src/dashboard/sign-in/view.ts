import { html } from 'hono/html';
import { type Access, invitationDays, type LinkUse } from '../../resources/admins/links.js';
import type { Notice } from '../notice.js';
import { accountName, newPassword } from '../view/forms.js';
import { renderDocument, renderNotice } from '../view/layout.js';
import { field, form, type Html, hidden } from '../view/parts.js';

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

/** Where signing in with the provider begins. */
export interface ProviderEntrance {
  readonly name: string;
  readonly href: string;
}

/** Renders the link that begins a sign-in with the provider. */
function providerLink({ name, href }: ProviderEntrance): Html {
  return html`<p><a class="button primary" href="${href}">Sign in with ${name}</a></p>`;
}

const emailField = (value = '') =>
  field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', required: true, value });

interface SignInPage extends Entrance {
  /** Requested page. */
  readonly next: string | undefined;
  /** Whether no administrator exists. */
  readonly isNew: boolean;
  readonly provider: ProviderEntrance | undefined;
  /** Whether all members may sign in with a password. */
  readonly hasPasswords: boolean;
}

/**
 * Renders the ways to sign in. Without passwords, the form for the emergency owner is closed at first.
 */
export function renderSignIn(page: SignInPage): string {
  const { basePath, next, isNew, provider, hasPasswords } = page;
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
  const content = html`${next !== undefined && hidden('next', next)}
${emailField()}
${password}`;
  const help = html`<p class="quiet hint">Forgot your password? Ask the operator of this service for a reset link:
<code>whorl-service member reset --email …</code></p>`;
  const action = `${basePath}/dashboard/sign-in`;
  const passwords = html`${form(page, { action, submit: provider ? 'Sign in with a password' : 'Sign in', content })}${help}`;
  if (!provider) return renderEntrance(page, 'Sign in', passwords);
  const others = hasPasswords
    ? html`<p class="quiet">Or with a password:</p>${passwords}`
    : html`<details${page.notice && html` open`}><summary>Sign in as the emergency owner</summary>${passwords}</details>`;
  return renderEntrance(page, 'Sign in', html`${providerLink(provider)}${others}`);
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

/** How an account can be created. */
interface SetUpWays {
  readonly provider?: ProviderEntrance | undefined;
  /** Whether the account may have a password. */
  readonly hasPassword: boolean;
}

/** Renders the form of a setup, invitation or reset link. */
export function renderSetUp(
  page: Entrance & { readonly use: LinkUse; readonly entry?: SetUpEntry } & SetUpWays,
): string {
  const { basePath, entry, use, provider, hasPassword } = page;
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
      : html`<p>Account: <strong>${use.email}</strong></p>${accountName(use.email)}
<input type="hidden" name="email" value="${use.email}"/>`;
  const access = use.purpose === 'invitation' && html`<p>Role: <strong>${accessWords(use.access)}</strong></p>`;
  if (provider && !hasPassword) return renderEntrance(page, title, html`${email}${access}${providerLink(provider)}`);
  const introduction = provider
    ? html`${email}${access}${providerLink(provider)}<p class="quiet">Or with a password:</p>`
    : html`<p>${text}</p>${email}${access}`;
  const content = html`${introduction}${newPassword('Password', entry?.errors.password)}`;
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
