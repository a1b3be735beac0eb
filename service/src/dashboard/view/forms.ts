import { html } from 'hono/html';
import { confirmationMinutes, passwordHint, passwordLength } from '../../resources/admins/rules.js';
import type { Place } from './cells.js';
import { field, form, type Html, hidden } from './parts.js';

export interface Act {
  /** The name of the action, in two or three words. */
  readonly name: string;
  /** What the action does. */
  readonly effect: string;
  /** The URL its form is posted to. */
  readonly action: string;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Default: false. */
  readonly danger?: boolean;
}

/**
 * Renders an action that the administrator has to expand first, and that explains its effect. This asks for
 * confirmation without a script.
 */
export function confirmed(place: Place, { name, effect, action, fields = {}, danger = false }: Act): Html {
  const hiddenFields = Object.entries(fields).map(([key, value]) => hidden(key, value));
  return html`<details class="act"><summary>${name}…</summary>
<p>${effect}</p>
${form(place, { action, submit: name, content: hiddenFields, danger })}
</details>`;
}

/** Renders the filter of a list. A phone shows it after a tick, unless it has errors. */
export function foldable(filter: Html, { isOpen = false }: { readonly isOpen?: boolean } = {}): Html {
  return html`<div class="foldable"><label class="unfold"><input type="checkbox"${isOpen && ' checked'}/> Show the filter</label>
${filter}</div>`;
}

export interface Search {
  readonly action: string;
  readonly label: string;
  readonly hint: string;
  readonly value?: string | undefined;
}

/** Renders a search form. It uses POST because the search text can be personal data, which must not reach a URL. */
export function searchForm(place: Place, { action, label, hint, value }: Search): Html {
  const content = field({ name: 'q', label, hint, type: 'search', value, required: true, maxLength: 4096 });
  return html`<section class="panel" role="search" aria-label="${label}">${form(place, { action, submit: 'Search', content })}</section>`;
}

export interface Tab {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Renders tabs that switch between lists. */
export function tabs(label: string, all: readonly Tab[]): Html {
  const tab = ({ text, href, isCurrent }: Tab) =>
    html`<a href="${href}"${isCurrent && html` aria-current="true"`}>${text}</a>`;
  return html`<nav class="tabs" aria-label="${label}">${all.map(tab)}</nav>`;
}

/** Renders a secret that is shown only once, in a field to copy it from. */
export function shownOnce(label: string, secret: string, id = 'secret'): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">Copy it now. It is shown only once.</p>
<div class="copy"><input id="${id}" class="code" type="text" readonly value="${secret}" aria-describedby="${id}-hint" autocomplete="off" spellcheck="false" data-copy/></div>
</div>`;
}

/** Renders a value that is not secret, in a field to copy it from. */
export function copyField(value: string, label: string): Html {
  return html`<div class="copy"><input class="code" type="text" readonly value="${value}" aria-label="${label}" autocomplete="off" spellcheck="false" data-copy/></div>`;
}

/** Renders the account name for password managers. */
export function accountName(email: string): Html {
  return html`<input type="email" autocomplete="username" value="${email}" aria-label="Email address" readonly hidden/>`;
}

export function newPassword(label: string, error: string | undefined, name = 'password'): Html {
  return field({
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    hint: passwordHint,
    ...passwordLength,
    error,
  });
}

export interface ConfirmAt {
  /** Name of the provider. */
  readonly name: string;
  readonly href: string;
  /** Page to come back to. */
  readonly page: string;
}

/** Data for a form that asks for the password. */
export interface Confirming {
  readonly admin: {
    readonly email: string;
    /** Where a member without a password confirms. */
    readonly confirmAt?: ConfirmAt | undefined;
  };
  /** Whether the password was confirmed within the last minutes. */
  readonly isConfirmed: boolean;
  /** The error of the entered password. */
  readonly confirmationError?: string | undefined;
}

/**
 * Renders a field to confirm the password, unless it was confirmed within the last minutes. Members without a password
 * get a link to sign in again instead, before they fill in the form.
 *
 * @param id Required for the second such field of a page. Default: `password`.
 */
export function passwordAgain(
  { admin, isConfirmed, confirmationError }: Confirming,
  id = 'password',
): Html | undefined {
  if (isConfirmed) return undefined;
  if (admin.confirmAt) return providerAgain(admin.confirmAt, confirmationError);
  const again = field({
    id,
    name: 'password',
    label: 'Your password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    error: confirmationError,
    hint: `Confirm your password to continue. It stays confirmed for ${confirmationMinutes} minutes.`,
  });
  return html`${accountName(admin.email)}${again}`;
}

function providerAgain({ name, href, page }: ConfirmAt, error: string | undefined): Html {
  return html`<input type="hidden" name="page" value="${page}"/>
<div class="field"><a class="button" href="${href}">Confirm with ${name}</a>
<p class="hint">Sign in again before you fill in this form. It stays confirmed for ${confirmationMinutes} minutes.</p>
${error !== undefined && html`<p class="error">${error}</p>`}</div>`;
}
