import { isIP } from 'node:net';
import { z } from '@hono/zod-openapi';

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
