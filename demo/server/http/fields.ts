import type { Fields } from './json.js';
import { Refusal } from './refusal.js';

/** A field that has to be there, without blanks at its ends. @throws Refusal */
export function text(fields: Fields, name: string, longest: number): string {
  const value = optionalText(fields, name, longest);
  if (value === undefined) throw new Refusal(400, 'invalid_request', `"${name}" is missing.`);
  return value;
}

/** Undefined where it is missing or empty. @throws Refusal */
export function optionalText(fields: Fields, name: string, longest: number): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Refusal(400, 'invalid_request', `"${name}" must be a text.`);
  const trimmed = value.trim();
  if (trimmed.length > longest) throw new Refusal(400, 'invalid_request', `"${name}" is too long.`);
  return trimmed || undefined;
}
