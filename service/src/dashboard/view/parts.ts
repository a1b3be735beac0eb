import { html } from 'hono/html';
import { toneOf } from './tones.js';

export type Html = ReturnType<typeof html>;
/** The content of a table cell. Undefined and null show a dash. */
export type Cell = Html | string | number | null | undefined;

/** The heading of a column. `number` aligns its cells to the right. */
export type Column = string | { readonly title: string; readonly number: true };

/** Returns a column of numbers, which are aligned at the right. */
export function numberColumn(title: string): Column {
  return { title, number: true };
}

const titleOf = (column: Column) => (typeof column === 'string' ? column : column.title);
const classOf = (column: Column) => (typeof column === 'string' ? '' : 'number');

/**
 * Renders a table. On narrow screens, each row becomes a card.
 *
 * @param caption Read by screen readers.
 */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], caption?: string): Html {
  return html`<table role="table">
${caption && html`<caption class="unseen">${caption}</caption>`}
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col" class="${classOf(column)}">${titleOf(column)}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => tableRow(columns, row))}</tbody>
</table>`;
}

function tableRow(columns: readonly Column[], row: readonly Cell[]): Html {
  const cell = (column: Column, at: number) =>
    html`<td role="cell" class="${classOf(column)}" data-label="${titleOf(column)}">${orDash(row[at])}</td>`;
  return html`<tr role="row">${columns.map(cell)}</tr>`;
}

const nothing = html`<span class="quiet">–</span>`;

function orDash(cell: Cell): Html | string {
  if (cell === null || cell === undefined || cell === '') return nothing;
  return typeof cell === 'number' ? wholeNumber(cell) : cell;
}

/** Formats a number as `1,234,567`. */
export function wholeNumber(value: number): string {
  return value.toLocaleString('en-GB');
}

const inUtc = { dateStyle: 'medium', timeZone: 'UTC' } as const;
const timeFormat = new Intl.DateTimeFormat('en-GB', { ...inUtc, timeStyle: 'short' });
const exactFormat = new Intl.DateTimeFormat('en-GB', { ...inUtc, timeStyle: 'medium' });

/** Returns a time in UTC, to the minute. */
export function timeText(moment: Date): string {
  return `${timeFormat.format(moment)} UTC`;
}

/** Renders a time in UTC, which a script shows relative to now in tables and lists. The title has it to the second. */
export function time(date: Date | string): Html {
  const moment = new Date(date);
  return html`<time datetime="${moment.toISOString()}" title="${exactFormat.format(moment)} UTC">${timeText(moment)}</time>`;
}

export interface FormOptions {
  /** The URL it is posted to. */
  readonly action: string;
  /** The text of its button. */
  readonly submit: string;
  readonly content?: Html | readonly (Html | undefined)[] | undefined;
  /** A second button, which posts the form to another URL. */
  readonly also?: { readonly action: string; readonly submit: string };
  /** For actions that cannot be undone. Default: false. */
  readonly danger?: boolean;
  /** Whether the button is small, for use in a row. Default: false. */
  readonly small?: boolean;
}

/** Renders a hidden field of a form. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}"/>`;
}

/** Renders a form with the CSRF token of the session. */
export function form(
  { formToken }: { readonly formToken: string },
  { action, submit, content, also, danger = false, small = false }: FormOptions,
): Html {
  const button = html`<button type="submit" class="${danger ? 'danger' : 'primary'}">${submit}</button>`;
  return html`<form method="post" action="${action}" class="${small ? 'small' : 'stack'}">
${hidden('csrf', formToken)}
${content}
${also ? html`<div class="row">${button} <button type="submit" formaction="${also.action}">${also.submit}</button></div>` : button}
</form>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: Html | string | undefined;
  /** The error of the entered value. */
  readonly error?: string | undefined;
  /** Default: the name. Required if a page has two fields with the same name. */
  readonly id?: string;
}

export interface InputField extends Field {
  /** Default: `text`. */
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'date' | 'datetime-local' | 'search';
  readonly value?: string | number | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface TextField extends Field {
  readonly type: 'lines';
  readonly value?: string | undefined;
  /** Default: 4. */
  readonly rows?: number;
}

export interface ChoiceField extends Field {
  readonly type: 'choice';
  readonly value?: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export interface SwitchField extends Field {
  readonly type: 'switch';
  /** Whether it is on. Posted as `on`; not posted if it is off. */
  readonly value?: boolean | undefined;
}

/** Renders a form field with its label, hint and error. */
export function field(options: InputField | TextField | ChoiceField | SwitchField): Html {
  const { name, label, hint, error, id = name } = options;
  const notes = html`${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error && html`<p class="error" id="${id}-error">${error}</p>`}`;
  if (options.type === 'switch') {
    return html`<div class="field switch"><label for="${id}">${control(options, id)} ${label}</label>${notes}</div>`;
  }
  return html`<div class="field"><label for="${id}">${label}</label>${notes}${control(options, id)}</div>`;
}

function control(options: InputField | TextField | ChoiceField | SwitchField, id: string): Html {
  const { name, hint, error } = options;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const common = html`id="${id}" name="${name}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}`;
  if (options.type === 'lines') {
    return html`<textarea ${common} rows="${options.rows ?? 4}" spellcheck="false">${options.value ?? ''}</textarea>`;
  }
  if (options.type === 'choice') {
    const option = ({ value, label }: ChoiceField['options'][number]) =>
      html`<option value="${value}"${value === options.value && ' selected'}>${label}</option>`;
    return html`<select ${common}>${options.options.map(option)}</select>`;
  }
  if (options.type === 'switch') return html`<input type="checkbox" ${common}${options.value && ' checked'}/>`;
  return input(options, common);
}

function input(options: InputField, common: Html): Html {
  const { type = 'text', value, autocomplete, required, min, max, step, minLength, maxLength } = options;
  const attributes = Object.entries({
    value,
    autocomplete,
    min,
    max,
    step,
    minlength: minLength,
    maxlength: maxLength,
  });
  const present = attributes.filter(([, text]) => text !== undefined);
  return html`<input type="${type}" ${common}${present.map(([key, text]) => html` ${key}="${text}"`)}${required && ' required'}/>`;
}

/** Renders a verdict or a status. The text carries the same information as the colour. */
export function badge(word: string, tone = toneOf(word)): Html {
  return html`<span class="badge ${tone}">${word.replaceAll('_', ' ')}</span>`;
}

/** Renders a list of terms and values. */
export function definitionList(entries: readonly (readonly [term: string, value: Cell])[]): Html {
  return html`<dl>${entries.map(([term, value]) => html`<div><dt>${term}</dt><dd>${orDash(value)}</dd></div>`)}</dl>`;
}

/** Renders a message for an empty list. */
export function emptyState(text: string, more?: Html): Html {
  return html`<div class="empty"><p>${text}</p>${more}</div>`;
}

/** Renders a section of a page with a heading. */
export function section(title: string, content: Html | readonly (Html | undefined)[]): Html {
  return html`<section class="panel"><h2>${title}</h2>${content}</section>`;
}

/** Renders a section that is folded until somebody opens it. `about` stays visible beside the heading. */
export function folded(title: string, about: string, content: Html | readonly (Html | undefined)[]): Html {
  return html`<details class="panel folded"><summary><h2>${title}</h2> <span class="quiet">${about}</span></summary>
${content}</details>`;
}
