import { html } from 'hono/html';
import { accountName, newPassword } from '../view/forms.js';
import { renderDocument, renderNotice } from '../view/layout.js';
import { field, form, type Html } from '../view/parts.js';
import type { Notice } from '../visit.js';
import type { LinkUse } from './admins.js';

interface Entrance {
  readonly basePath: string;
  readonly formToken: string;
  readonly notice?: Notice | undefined;
}

/** What somebody sees who is not signed in. */
function renderEntrance({ basePath, notice }: Omit<Entrance, 'formToken'>, title: string, content: Html): string {
  return renderDocument({
    basePath,
    title,
    narrow: true,
    header: html`<span class="brand">Whorl</span>`,
    main: html`<h1>${title}</h1>
${renderNotice(notice)}
<div class="panel">${content}</div>`,
  });
}

const emailField = (value = '') =>
  field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', required: true, value });

/**
 * The form to sign in.
 *
 * @param page.next Where one wanted to go.
 * @param page.isNew Whether there is no administrator at all.
 */
export function renderSignIn(page: Entrance & { readonly next: string | undefined; readonly isNew: boolean }): string {
  const { basePath, next, isNew } = page;
  if (isNew) {
    return renderEntrance(
      page,
      'Sign in',
      html`<p>There is no administrator yet. When the service started, it made a link by which you become one: it is in
the terminal, or in the file that the log names. Each start makes a new one.</p>`,
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
  const help = html`<p class="quiet hint">Forgotten your password? Ask whoever runs the service for a link to set a new one:
<code>whorl-service dashboard reset --email …</code></p>`;
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
    text: 'You become the first administrator of this service. Administrators see and change all its projects.',
    submit: 'Become administrator',
  },
  invitation: {
    title: 'Accept the invitation',
    text: 'You become an administrator of this service. Administrators see and change all its projects.',
    submit: 'Become administrator',
  },
  reset: {
    title: 'Set a new password',
    text: 'You are then signed out everywhere else.',
    submit: 'Set password',
  },
} as const satisfies Record<LinkUse['purpose'], object>;

/** The form behind a link: to become an administrator, or to set a new password. */
export function renderSetUp(page: Entrance & { readonly use: LinkUse; readonly entry?: SetUpEntry }): string {
  const { basePath, entry, use } = page;
  const { title, text, submit } = introductions[use.purpose];
  const email =
    use.purpose === 'first'
      ? field({
          ...{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', required: true },
          ...{ value: entry?.email ?? '', error: entry?.errors.email },
        })
      : html`<p>For <strong>${use.email}</strong>.</p>${accountName(use.email)}`;
  const content = html`<p>${text}</p>
${email}
${newPassword('Password', entry?.errors.password)}`;
  const action = `${basePath}/dashboard/set-up`;
  return renderEntrance(page, title, form(page, { action, submit, content }));
}

/** A link that is used up, too old, or none. */
export function renderSetUpGone(basePath: string): string {
  return renderEntrance(
    { basePath },
    'This link is no longer valid',
    html`<p>A link works once, within an hour. Ask whoever runs the service for a new one:
<code>whorl-service dashboard invite</code> or <code>dashboard reset</code>. A service without administrators makes one each
time it starts.</p>
<p><a href="${basePath}/dashboard">Sign in</a></p>`,
  );
}
