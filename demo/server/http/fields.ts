import type { Context } from 'hono';
import type { Middleware } from '../demo.js';
import { Refusal } from './errors.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Reads the JSON body of a request into `c.var.fields`. @throws Refusal */
export const readFields: Middleware = async (c, next) => {
  const fields = await parseFields(c);
  c.set('fields', fields);
  c.var.demo.exchanges.addRequest(fields);
  await next();
};

/** Returns the body of a request. @throws Refusal unless it is a JSON object. */
export async function parseFields(c: Context): Promise<Fields> {
  if (!c.req.header('Content-Type')?.startsWith('application/json')) {
    throw new Refusal(415, 'unsupported_media_type', 'The body must be JSON.');
  }
  const fields: unknown = await c.req.json().catch(() => undefined);
  if (isFields(fields)) return fields;
  throw new Refusal(400, 'invalid_request', 'The body must be a JSON object.');
}

/** Returns a required field, trimmed. @throws Refusal */
export function text(fields: Fields, name: string, maxLength: number): string {
  const value = optionalText(fields, name, maxLength);
  if (value === undefined) throw new Refusal(400, 'invalid_request', `"${name}" is missing.`);
  return value;
}

/** Returns undefined if the field is missing or empty. @throws Refusal */
export function optionalText(fields: Fields, name: string, maxLength: number): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Refusal(400, 'invalid_request', `"${name}" must be a string.`);
  const trimmed = value.trim();
  if (trimmed.length > maxLength) throw new Refusal(400, 'invalid_request', `"${name}" is too long.`);
  return trimmed || undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
