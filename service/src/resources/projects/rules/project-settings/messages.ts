import type { SettingIssue } from './checks.js';
import { type Field, type NamedField, type SettingName, settingField } from './fields.js';

/**
 * Returns the message for each field of a form, by name. A message about a setting as a whole has the setting's name.
 */
export function messagesOf(names: readonly SettingName[], issues: readonly SettingIssue[]): Map<string, string> {
  const fields = names.flatMap((name) => leavesOf(settingField(name)));
  const messages = new Map<string, string>();
  for (const issue of issues) {
    const name = issue.path.map(String).join('.');
    const field = fields.find((leaf) => name === leaf.name || name.startsWith(`${leaf.name}.`));
    const key = field && field.field.kind !== 'table' ? field.name : name;
    if (!messages.has(key)) messages.set(key, messageOf(issue, field?.field));
  }
  return messages;
}

function leavesOf(named: NamedField): NamedField[] {
  return named.field.kind === 'group' ? named.field.fields.flatMap(leavesOf) : [named];
}

function messageOf({ message, path }: SettingIssue, field: Field | undefined): string {
  if (field?.kind === 'number') return rangeOf(field);
  if (field?.kind === 'choice' || field?.kind === 'table') return 'Choose one of these.';
  const position = path.at(-1);
  const where = field?.kind === 'lines' && typeof position === 'number' ? `Entry ${position + 1} ` : 'It ';
  return message.startsWith('must ') ? `${where}${message}.` : `${message}.`;
}

type NumberField = Extract<Field, { kind: 'number' }>;

/** Returns a text such as `A whole number from 0 to 1,000, or empty for none.` */
export function rangeOf({ whole, min, max, nullable }: NumberField): string {
  const [from, to] = [min, max].map((bound) => bound.toLocaleString('en'));
  return `${whole ? 'A whole number' : 'A number'} from ${from} to ${to}${nullable ? ', or empty for none' : ''}.`;
}
