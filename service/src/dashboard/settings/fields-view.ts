import { html } from 'hono/html';
import { cellInWords } from '../../evaluation/rules/policy.js';
import { reasonRules } from '../../evaluation/rules/reasons/table.js';
import { columns, reasons } from '../../ground/vocabulary.js';
import { withCode } from '../../http/pages/page-response.js';
import type { NamedField } from '../../resources/projects/rules/project-settings/fields.js';
import { cellName, type TableField, ticked } from '../../resources/projects/rules/project-settings/form.js';
import { labelOf } from '../../resources/projects/rules/project-settings/labels.js';
import { field, type Html, table } from '../view/parts.js';

/** Values of a form's fields. */
export interface FormValues {
  /** Stored or entered values. */
  readonly fields: URLSearchParams;
  /** Default values. */
  readonly defaults: URLSearchParams;
  /** Errors by field name. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Renders the form fields of a setting. */
export function settingField(named: NamedField, values: FormValues): Html {
  const { name, description, field: how } = named;
  if (how.kind !== 'group' && how.kind !== 'table') return plainField(named, values);
  const content =
    how.kind === 'group' ? how.fields.map((part) => settingField(part, values)) : grid(named, how, values);
  const error = values.errors.get(name);
  return html`<fieldset>
<legend>${labelOf(name)}</legend>
<p class="hint">${nameOf(name)} ${withCode(description)}</p>
${error && html`<p class="error">${error}</p>`}
<div class="parts">${content}</div>
</fieldset>`;
}

function plainField({ name, description, field: how }: NamedField, { fields, defaults, errors }: FormValues): Html {
  const value = fields.get(name) ?? '';
  const defaultValue = defaults.get(name) ?? '';
  const hint = (text: string) => html`${nameOf(name)} ${withCode(description)} ${text}`;
  const common = { name, label: labelOf(name), error: errors.get(name) };
  switch (how.kind) {
    case 'switch':
      return field({
        ...common,
        type: 'switch',
        value: value === ticked,
        hint: hint(`Default: ${defaultValue === ticked ? 'on' : 'off'}.`),
      });
    case 'choice': {
      const options = (how.nullable ? ['', ...how.options] : how.options).map((option) => ({
        value: option,
        label: option || 'none',
      }));
      return field({ ...common, type: 'choice', value, options, hint: hint(`Default: ${defaultValue || 'none'}.`) });
    }
    case 'lines': {
      const rows = Math.min(12, Math.max(3, value.split('\n').length + 1));
      return field({
        ...common,
        type: 'lines',
        value,
        rows,
        hint: hint(`One entry per line. Default: ${defaultValue || 'none'}.`),
      });
    }
    case 'number': {
      const { min, max, whole, nullable } = how;
      return field({
        ...common,
        type: 'number',
        value,
        min,
        max,
        step: whole ? 1 : 'any',
        required: !nullable,
        hint: hint(`Default: ${defaultValue || 'none'}.${nullable ? ' Leave empty for none.' : ''}`),
      });
    }
    default: {
      const maxLength = how.kind === 'text' && how.max !== null ? { maxLength: how.max } : {};
      const type = how.kind === 'text' && how.isAddress ? 'url' : 'text';
      return field({
        ...common,
        ...maxLength,
        type,
        value,
        autocomplete: 'off',
        hint: hint(`Default: ${defaultValue || 'none'}. Leave empty for none.`),
      });
    }
  }
}

const nameOf = (name: string) => html`<code>${name}</code>:`;

/** Renders one choice per cell, with the default. */
function grid({ name }: NamedField, how: TableField, values: FormValues): Html {
  const rows = how.rows.map((row) => [
    html`<code>${row}</code>`,
    ...how.columns.map((column) => cell({ name, column, row }, how.options, values)),
  ]);
  return table(['Reason', ...how.columns], rows, labelOf(name));
}

function cell(
  { name, column, row }: { name: string; column: string; row: string },
  options: readonly string[],
  { fields, errors }: FormValues,
): Html {
  const id = cellName(name, column, row);
  const value = fields.get(id) ?? '';
  const error = errors.get(id);
  const option = (text: string) =>
    html`<option value="${text}"${text === value && ' selected'}>${text || 'default'}</option>`;
  return html`<div class="choice"><select id="${id}" name="${id}" aria-label="${row}, ${column}" aria-describedby="${id}-default"${error && html` aria-invalid="true"`}>${['', ...options].map(option)}</select>
<p class="hint" id="${id}-default">${error && html`<span class="error">${error}</span> `}Default: ${withCode(defaultOf(column, row))}</p></div>`;
}

/** Returns the policy's default for a cell. */
function defaultOf(column: string, row: string): string {
  const reason = reasons.find((known) => known === row);
  const action = columns.find((known) => known === column);
  return reason && action ? cellInWords(reasonRules[reason].policy[action]) : 'none';
}
