import { html } from 'hono/html';
import type { Place } from './links.js';
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
