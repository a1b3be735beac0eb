import { isIP } from 'node:net';
import { z } from '@hono/zod-openapi';
import { metadataBytes } from '../../metadata.js';

/** Half a character (a surrogate without its other half) is no Unicode, and cannot be stored. */
const loneSurrogate = /\p{Surrogate}/u;

const controlCharacter = /\p{Cc}/u;

/** Whether PostgreSQL can keep a text: it takes neither U+0000 nor what is no Unicode. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && !loneSurrogate.test(value);
}

export const storableMessage = 'must be well-formed Unicode, without the character U+0000';

/** Text of 1 to `most` characters. */
export function text(most: number) {
  return z.string().min(1).max(most).refine(isStorable, storableMessage);
}

/** Text in one line, without control characters. */
export function line(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine(
      (value) => isStorable(value) && !controlCharacter.test(value),
      'must be one line of well-formed Unicode, without control characters',
    );
}

/** The customer's identifier of a user, or the service's `_id`. */
export const userId = () =>
  line(256).openapi({ description: 'The user: your own identifier (`external_id`), or else `_id`.' });

/** A fingerprint: the package's, or an opaque one, which is matched exactly or not at all. */
export const fingerprintText = () => text(4096);

export const ipAddress = () =>
  z
    .string()
    .refine((value) => isIP(value) !== 0 && !value.includes('%'), 'must be an IPv4 or IPv6 address')
    .openapi({ description: 'An IPv4 or IPv6 address.' });

export const actionName = () =>
  z
    .string()
    .regex(
      /^[a-z0-9_]{1,64}$/,
      'must have 1 to 64 characters: lower-case letters of the English alphabet, digits and underscores',
    )
    .openapi({ description: '`login`, `signup`, `referral`, `password_reset`, `payment`, or a name of your own.' });

export const uuid = () => z.uuid();

/** With a challenge, where the project has its managed challenge page switched on. */
export const challengeUrl = () =>
  z.string().optional().openapi({ description: "The managed challenge page's address: good once, for 5 minutes." });

/** As it is answered: ISO 8601, UTC, with milliseconds. */
export const timestamp = () => z.iso.datetime({ precision: 3 });

/** A mail address or phone number, as it is answered. */
export const masked = () => z.string().openapi({ description: 'Masked.' });

/** Deeper than this, neither JSON's own readers nor the database's are sure to follow. */
const deepest = 32;

function problemOf(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string' && !isStorable(value)) return storableMessage;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `must be nested at most ${deepest} levels deep`;
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of parts) {
    const problem = problemOf(part, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}

/** Free-form data of the customer's own: JSON of 16 KiB, 32 levels deep at most. */
export const metadata = () =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, context) => {
      const problem = problemOf(value, deepest);
      if (problem) context.addIssue({ code: 'custom', message: problem });
      else if (Buffer.byteLength(JSON.stringify(value)) > metadataBytes) {
        context.addIssue({ code: 'custom', message: `must have at most ${metadataBytes} bytes as JSON` });
      }
    })
    .openapi({ type: 'object', description: 'Free-form data of your own: JSON of 16 KiB at most.' });

/** As it is answered. */
export const storedMetadata = () => z.record(z.string(), z.unknown());

// Any text is taken: one that cannot be read is left out (users/rules/contacts.ts).
export const email = () =>
  z.string().openapi({ description: "The user's e-mail address. One that is none is ignored." });

export const phone = () =>
  z.string().openapi({
    description:
      "The user's phone number: in international form, or in the national form of the project's `default_country`. One " +
      'that cannot be read is ignored.',
  });

export const fingerprintFields = {
  fingerprint: fingerprintText().openapi({ description: 'The current fingerprint: the first value of `getHash`.' }),
  last_fingerprint: fingerprintText()
    .optional()
    .openapi({ description: 'The last saved fingerprint: the second value of `getHash`.' }),
  version: line(64).optional().openapi({ description: 'Version of the browser package.' }),
};

export const accountFields = {
  user: userId(),
  ...fingerprintFields,
  ip: ipAddress().optional(),
  email: email().optional(),
  phone: phone().optional(),
  metadata: metadata().optional(),
  proof: line(8192)
    .optional()
    .openapi({ description: 'What `getProof` resolved to: that the page holds a key. A wrong one counts as none.' }),
};

export const count = () => z.int().min(0);

export const externalUser = () => z.string().openapi({ description: 'Your own identifier of the user.' });
