import { html } from 'hono/html';
import { passwordHint, passwordLength } from '../sign-in/rules.js';
import type { Place } from './cells.js';
import { field, form, type Html } from './parts.js';

export interface Act {
  /** What can be done, in two or three words. */
  readonly name: string;
  /** What it does, for those who are about to do it. */
  readonly effect: string;
  /** Where its form is posted. */
  readonly action: string;
  /** What else the form carries. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Default: false. */
  readonly danger?: boolean;
}

/** Something that can be done, behind a fold that says what it does: no script is needed to ask twice. */
export function confirmed(place: Place, { name, effect, action, fields = {}, danger = false }: Act): Html {
  const hidden = Object.entries(fields).map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value}"/>`,
  );
  return html`<details class="act"><summary>${name}…</summary>
<p>${effect}</p>
${form(place, { action, submit: name, content: hidden, danger })}
</details>`;
}

export interface Search {
  readonly action: string;
  readonly label: string;
  readonly hint: string;
  readonly value?: string | undefined;
}

/** A search, by POST: what is searched for may be a person's address, and stands in no URL. */
export function searchForm(place: Place, { action, label, hint, value }: Search): Html {
  const content = field({ name: 'q', label, hint, type: 'search', value, required: true, maxLength: 4096 });
  return html`<section class="panel" role="search">${form(place, { action, submit: 'Search', content })}</section>`;
}

export interface Tab {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** A choice of lists. */
export function tabs(label: string, all: readonly Tab[]): Html {
  const tab = ({ text, href, isCurrent }: Tab) =>
    html`<a href="${href}"${isCurrent && html` aria-current="true"`}>${text}</a>`;
  return html`<nav class="tabs" aria-label="${label}">${all.map(tab)}</nav>`;
}

/** A secret that is shown this once, in a field to copy it from. */
export function shownOnce(label: string, secret: string): Html {
  return html`<div class="field"><label for="secret">${label}</label>
<p class="hint" id="secret-hint">It is shown this once: only what it can be checked by is kept. Copy it now.</p>
<div class="copy"><input id="secret" class="code" type="text" readonly value="${secret}" aria-describedby="secret-hint" autocomplete="off" spellcheck="false" data-copy/></div>
</div>`;
}

/** Tells password managers whose password a form takes. */
export function accountName(email: string): Html {
  return html`<input type="email" autocomplete="username" value="${email}" aria-label="E-mail address" readonly hidden/>`;
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

/** What a form has to know that asks for the password once more. */
export interface Confirming {
  readonly admin: { readonly email: string };
  /** Whether the password was entered within the last minutes. */
  readonly isConfirmed: boolean;
  /** What was wrong with the one that was entered. */
  readonly confirmationError?: string | undefined;
}

/** Asks for the password once more, unless it was entered within the last minutes. */
export function passwordAgain({ admin, isConfirmed, confirmationError }: Confirming): Html | undefined {
  if (isConfirmed) return undefined;
  const again = field({
    ...{ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password' },
    ...{ required: true, error: confirmationError, hint: 'Asked for once more here, then not for 5 minutes.' },
  });
  return html`${accountName(admin.email)}${again}`;
}
