import { z } from 'zod';
import { addressKinds } from '../../rules/address-info.js';

const maxSources = 50;
/** Stands for the month, as in the file names of DB-IP. */
const month = '{YYYY-MM}';

const text = z.string({ error: 'must be a string' });

const url = text.refine(isAllowed, {
  error: 'must be an address that begins with https://, without a user name and password',
});

const checksum = text.refine((value) => /^sha256:[0-9a-fA-F]{64}$/.test(value) || isAllowed(value), {
  error: 'must be "sha256:" with 64 hexadecimal digits, or the https:// address of a file that contains the checksum',
});

const shortText = text.regex(/^.{1,200}$/, { error: 'must have 1 to 200 characters' });

const source = z.strictObject(
  {
    name: text.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
      error: 'must consist of lower-case letters, digits and hyphens',
    }),
    url,
    /** Of a list. Absent for a database (MMDB). */
    kind: z.enum(addressKinds, { error: `must be one of ${addressKinds.join(', ')}` }).optional(),
    checksum: checksum.optional(),
    // The ending keeps the other secrets of the service from being sent to a publisher by mistake.
    authorization_env: text
      .regex(/^[A-Z][A-Z0-9_]*_AUTHORIZATION$/, {
        error: 'must be the name of an environment variable that ends with _AUTHORIZATION',
      })
      .optional(),
    licence: shortText.optional(),
    credit: z
      .strictObject({
        text: shortText,
        url: text.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
          error: 'must be an address that begins with https:// or http://',
        }),
      })
      .optional(),
  },
  { error: withUnknownFields },
);

const file = z.strictObject(
  {
    folder: text.min(1, { error: 'must not be empty' }).optional(),
    sources: z
      .array(source, { error: 'must be a list' })
      .min(1, { error: 'must contain at least one source' })
      .max(maxSources, { error: `must contain at most ${maxSources} sources` })
      .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
        error: 'must have different names',
      }),
  },
  { error: withUnknownFields },
);

/** Database or list that its publisher provides for download. */
export type PublishedSource = z.output<typeof source>;
export type SourcesFile = z.output<typeof file>;

/**
 * Checks the content of the file that ADDRESS_SOURCES names. Returns its problems as sentences if it is not valid. They
 * never quote values, because an address may contain a secret.
 */
export function checkSources(content: unknown): { readonly valid: SourcesFile } | { readonly problems: string } {
  const { data, error } = file.safeParse(content);
  if (data) return { valid: data };
  const sentences = error.issues.map(({ path, message }) => `${fieldName(path)} ${message}.`);
  return { problems: sentences.join(' ') };
}

/** Returns a path as it would be written in code: `sources[1].url`. */
function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name.replace(/^\./, '') || 'The content';
}

function withUnknownFields(issue: { readonly code?: string; readonly keys?: unknown }): string | undefined {
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    return `has unknown fields: ${issue.keys.join(', ')}`;
  }
  return issue.code === 'invalid_type' ? 'must be an object' : undefined;
}

function isAllowed(address: string): boolean {
  const filled = address.replaceAll(month, '2026-01');
  return URL.canParse(filled) && isSecure(new URL(filled));
}

/** Returns whether a URL uses TLS, or stays on this machine. */
function isSecure({ protocol, hostname, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Returns whether a redirect may be followed: only a source on this machine may be redirected to HTTP on this machine. */
export function mayFollow(to: URL, start: URL): boolean {
  return isSecure(to) && (to.protocol === 'https:' || start.protocol === 'http:');
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Returns the URLs at which a file may be, in the order in which to try them. With `{YYYY-MM}`, these are the current and
 * the previous month (UTC), because publishers need some days for a new month.
 */
export function urlsOf(template: string, now: Date): string[] {
  if (!template.includes(month)) return [template];
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
  return [0, 1].map((count) => template.replaceAll(month, monthsAgo(count)));
}

/** Returns the name of a source's file in the folder. */
export function fileNameOf({ name, kind }: Pick<PublishedSource, 'name' | 'kind'>): string {
  return kind === undefined ? `${name}.mmdb` : `${name}.txt`;
}
