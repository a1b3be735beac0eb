import { isIP } from 'node:net';
import { z } from '@hono/zod-openapi';
import { isStorable, storableMessage } from '../../ground/text-rules.js';
import { metadataBytes } from '../../resources/metadata.js';

const controlCharacter = /\p{Cc}/u;

/** Schema of a text of 1 to `max` characters. */
export function text(max: number) {
  return z.string().min(1).max(max).refine(isStorable, storableMessage);
}

/** Schema of a single line of 1 to `max` characters, without control characters. */
export function line(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine(
      (value) => isStorable(value) && !controlCharacter.test(value),
      'must be one line of well-formed Unicode, without control characters',
    );
}

/** The customer's ID of a user. */
export const userId = () => line(256).openapi({ description: 'Your own ID of the user (`external_id`).' });

/** A fingerprint of the package, or an opaque one, which is only matched exactly. */
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
    .openapi({ description: '`login`, `signup`, `referral`, `password_reset`, `payment`, or a custom name.' });

/** Name of a way in which the application verifies a user itself. */
export const methodName = () =>
  z
    .string()
    .regex(
      /^[A-Za-z0-9_.-]{1,64}$/,
      'must have 1 to 64 characters: letters of the English alphabet, digits, underscores, points and hyphens',
    );

/** Names of the factors that the application has for a user. */
export const methodNames = () =>
  z
    .array(methodName())
    .max(16)
    .optional()
    .openapi({
      description:
        'The factors that your application has for this user, such as `passkey`. With the setting `prefer_own_factor`, ' +
        'the user is then offered no code for `new_device` and `new_ip`.',
    });

export const uuid = () => z.uuid();

/** Present with a challenge, if the project's managed challenge page is switched on. */
export const challengeUrl = () =>
  z.string().optional().openapi({ description: 'URL of the managed challenge page. Valid once, for 5 minutes.' });

/** Timestamp in a response: ISO 8601, UTC, with milliseconds. */
export const timestamp = () => z.iso.datetime({ precision: 3 });

/** Email address or phone number in a response. */
export const masked = () => z.string().openapi({ description: 'Masked.' });

/** Maximum nesting of metadata. Deeper JSON may exceed the limits of parsers and of the database. */
const maxDepth = 32;

function problemOf(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string' && !isStorable(value)) return storableMessage;
  // JSON can contain numbers of any size. It would be stored as null.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return 'must not contain a number above 1.7e308';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `must be nested at most ${maxDepth} levels deep`;
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of parts) {
    const problem = problemOf(part, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}

/** Free-form data of the customer: JSON of at most 16 KiB and 32 levels. */
export const metadata = () =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, context) => {
      const problem = problemOf(value, maxDepth);
      if (problem) context.addIssue({ code: 'custom', message: problem });
      else if (Buffer.byteLength(JSON.stringify(value)) > metadataBytes) {
        context.addIssue({ code: 'custom', message: `must have at most ${metadataBytes} bytes as JSON` });
      }
    })
    .openapi({ type: 'object', description: 'Custom data: JSON of at most 16 KiB.' });

/** Metadata in a response. */
export const storedMetadata = () => z.record(z.string(), z.unknown());

export const tags = () =>
  z.array(z.string()).optional().openapi({
    description: 'Tags that rules of the project put on the evaluation, at most 10. Absent if there are none.',
  });

// Any text is accepted. Contacts that cannot be parsed are ignored (resources/users/rules/contacts.ts).
export const email = () => z.string().openapi({ description: "The user's email address. Ignored if it is not valid." });

export const phone = () =>
  z.string().openapi({
    description:
      "The user's phone number, in international format or in the national format of the project's `default_country`. " +
      'Ignored if it is not valid.',
  });

export const fingerprintFields = {
  fingerprint: fingerprintText().openapi({ description: 'The current fingerprint: the first value of `getHash`.' }),
  last_fingerprint: fingerprintText()
    .optional()
    .openapi({ description: 'The last saved fingerprint: the second value of `getHash`.' }),
  version: line(64).optional().openapi({ description: 'Version of the browser package.' }),
};

/** Fields of `evaluate`, where a server may have received no fingerprint. */
export const optionalFingerprintFields = {
  ...fingerprintFields,
  fingerprint: fingerprintText()
    .optional()
    .openapi({
      description:
        'The current fingerprint: the first value of `getHash`. Required with a publishable key. With a secret key, leave ' +
        'it out if the browser sent none, or one that is not valid: it then counts as unreadable.',
    }),
};

export const accountFields = {
  user: userId(),
  ...fingerprintFields,
  ip: ipAddress().optional(),
  email: email().optional(),
  phone: phone().optional(),
  metadata: metadata().optional(),
  proof: line(8192).optional().openapi({
    description: 'Result of `getProof`, which proves that the page holds a key. An invalid proof is ignored.',
  }),
};

export const count = () => z.int().min(0);

/** Present with the setting `hardware_id`, if the fingerprint has enough facets. */
export const hardwareFields = {
  hardware_id: uuid().optional().openapi({
    description: 'ID that all devices with the same system, browser family and hardware have in common.',
  }),
  hardware_devices: count().optional().openapi({
    description: 'Number of devices that were recorded with this hardware. Deleted devices are included.',
  }),
};

export const hardwareUsers = () =>
  count().optional().openapi({
    description: 'Number of users with this hardware who were seen at this network in the last 24 hours, at most 100.',
  });

export const externalUser = () => z.string().openapi({ description: 'Your own ID of the user.' });
