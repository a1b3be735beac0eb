import { html } from 'hono/html';
import { accountName, type Confirming, newPassword } from '../view/forms.js';
import type { AdminPage } from '../view/layout.js';
import { field, form, type Html, section } from '../view/parts.js';

export interface PasswordErrors {
  readonly current?: string | undefined;
  readonly next?: string | undefined;
}

type FormRequest = Confirming & { readonly formToken: string; readonly basePath: string };

/** Renders a member's own account. */
export function accountPage(request: FormRequest, errors: PasswordErrors = {}): AdminPage {
  const path = `${request.basePath}/dashboard/account`;
  const isWrong = errors.current !== undefined || errors.next !== undefined;
  const endOthers = form(request, { action: `${path}/sessions`, submit: 'Sign out other sessions' });
  return {
    title: 'Account',
    body: html`${section('Password', [html`<p>You are signed in as ${request.admin.email}.</p>`, passwordForm(request, path, errors)])}
${section('Sessions', [html`<p>Signs you out of all other browsers.</p>`, endOthers])}`,
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
