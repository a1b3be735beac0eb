import { html } from 'hono/html';
import { withCode } from '../../http/pages/page-response.js';
import type { NamedField } from '../../resources/projects/rules/project-settings/fields.js';
import { ticked } from '../../resources/projects/rules/project-settings/form.js';
import { labelOf } from '../../resources/projects/rules/project-settings/labels.js';
import { field, type Html } from '../view/parts.js';

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
  if (how.kind === 'table') throw new Error(`The setting "${name}" needs a page of its own.`);
  if (how.kind !== 'group') return plainField(named, values);
  const content = how.fields.map((part) => settingField(part, values));
  const error = values.errors.get(name);
  return html`<fieldset>
<legend>${labelOf(name)}</legend>
<p class="hint">${nameOf(name)} ${withCode(description)}</p>
${error && html`<p class="error">${error}</p>`}
<div class="parts">${content}</div>
</fieldset>`;
}

function plainField({ name, description, field: how }: NamedField, { fields, defaults, errors }: FormValues): Html {
  const hint = html`${nameOf(name)} ${withCode(description)} ${defaultInWords(how, defaults.get(name) ?? '')}`;
  const control = controlOf(how, fields.get(name) ?? '');
  return field({ name, label: labelOf(name), hint, error: errors.get(name), ...control });
}

/** Returns the end of a field's hint: the default, and how to enter the value. */
function defaultInWords(how: NamedField['field'], value: string): string {
  if (how.kind === 'switch') return `Default: ${value === ticked ? 'on' : 'off'}.`;
  const text = `Default: ${value || 'none'}.`;
  if (how.kind === 'choice' || (how.kind === 'number' && !how.nullable)) return text;
  return how.kind === 'lines' ? `One entry per line. ${text}` : `${text} Leave empty for none.`;
}

type WithoutTexts<Options> = Options extends unknown ? Omit<Options, 'name' | 'label' | 'hint' | 'error'> : never;

/** Returns the control of a field, with its value and limits. */
function controlOf(how: NamedField['field'], value: string): WithoutTexts<Parameters<typeof field>[0]> {
  switch (how.kind) {
    case 'switch':
      return { type: 'switch', value: value === ticked };
    case 'choice': {
      const options = how.nullable ? ['', ...how.options] : how.options;
      return { type: 'choice', value, options: options.map((option) => ({ value: option, label: option || 'none' })) };
    }
    case 'lines':
    case 'json':
      return { type: 'lines', value, rows: Math.min(12, Math.max(3, value.split('\n').length + 1)) };
    case 'number': {
      const { min, max, whole, nullable } = how;
      return { type: 'number', value, min, max, step: whole ? 1 : 'any', required: !nullable };
    }
    default: {
      const maxLength = how.kind === 'text' && how.max !== null ? { maxLength: how.max } : {};
      const type = how.kind === 'text' && how.isAddress ? 'url' : 'text';
      return { type, value, autocomplete: 'off', ...maxLength };
    }
  }
}

const nameOf = (name: string) => html`<code>${name}</code>:`;
