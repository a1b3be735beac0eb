import { z } from 'zod';
import type { PrivateReceivers } from '../effects/webhooks/rules/receiver-addresses.js';
import type { MailOptions } from '../ground/messages/mail.js';
import type { TextOptions } from '../ground/messages/sender.js';
import { OperatorError } from '../ground/operator-error.js';
import { isAddressOrRange } from '../resources/addresses/addresses.js';
import type { AddressFiles } from '../resources/addresses/open-addresses.js';
import { addressKinds } from '../resources/addresses/rules/address-info.js';
import type { SignInOptions } from '../resources/admins/sign-in-options.js';
import { type DatabaseConfig, databaseConflicts, databaseFrom, databaseVariables } from './database-config.js';
import { signInConflicts, signInFrom, signInGroup, signInVariables } from './sign-in-config.js';
import { address, flag, wholeNumber } from './variables.js';

const MIN_SECRET_BYTES = 32;
const DEFAULT_PORT = 4200;

/** Configuration of the service, read once at the start. */
export interface Config {
  readonly database: DatabaseConfig;
  /** How long the process reports that it is about to stop, before it refuses connections. */
  readonly shutdownDelayMs: number;
  /** Folder of the embedded database, and of secrets created at the first start that cannot be shown on a terminal. */
  readonly dataFolder: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Public URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Absent if the embedded database stores its own secret: see ground/crypto/secret-file.ts. */
  readonly secret?: string;
  readonly previousSecret?: string;
  /** Whether the previous secret leaked. If so, its signatures are rejected. */
  readonly previousSecretLeaked: boolean;
  /** Addresses and ranges of proxies that are trusted to report the client's address. */
  readonly trustedProxies: readonly string[];
  readonly mail?: MailOptions;
  readonly text?: TextOptions;
  readonly signIn: SignInOptions;
  readonly logLevel: LogLevel;
  /** Whether webhooks may be sent to private and loopback addresses: all, none, or those in ranges (CIDR). */
  readonly allowPrivateWebhooks: PrivateReceivers;
  /** Whether this process runs background jobs. */
  readonly workers: boolean;
  /** Databases and lists of addresses. */
  readonly addressFiles: AddressFiles;
  /** Path of a file that lists the databases and lists that the service downloads. */
  readonly addressSources?: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secret = z.string().refine((text) => Buffer.byteLength(text) >= MIN_SECRET_BYTES, {
  error: `must have at least ${MIN_SECRET_BYTES} bytes; create one with "openssl rand -base64 32"`,
});

/** Splits a list at its commas. */
function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const ranges = z
  .string()
  .transform(partsOf)
  .refine((parts) => parts.every(isAddressOrRange), {
    error: 'must be addresses and ranges separated by commas, such as 10.0.0.0/8,::1',
  });

const trustedProxies = z
  .string()
  .default('none')
  .transform((text, context) => {
    if (text.trim() === 'none') return [];
    const { data } = ranges.safeParse(text);
    if (data) return data;
    context.addIssue('must be none, or addresses and ranges separated by commas, such as 10.0.0.0/8,::1');
    return z.NEVER;
  });

const privateReceivers = z
  .string()
  .default('false')
  .transform((text, context): PrivateReceivers => {
    if (text === 'true' || text === 'false') return text === 'true';
    const { data } = ranges.safeParse(text);
    if (data) return data;
    context.addIssue('must be true, false, or addresses and ranges separated by commas, such as 10.0.0.0/8,::1');
    return z.NEVER;
  });

const addressDatabases = z
  .string()
  .default('')
  .transform((text) => (text.trim() === 'none' ? 'none' : partsOf(text)));

const addressLists = z
  .string()
  .default('')
  .transform((text, context) =>
    partsOf(text).flatMap((part) => {
      const [name, ...rest] = part.split('=').map((word) => word.trim());
      const kind = addressKinds.find((one) => one === name);
      const path = rest.join('=');
      if (kind && path) return [{ kind, path }];
      const kinds = addressKinds.join(', ');
      context.addIssue(
        `must be kinds with files, separated by commas, such as tor=/etc/whorl/tor.txt; the kinds are ${kinds}`,
      );
      return z.NEVER;
    }),
  );

/** Environment variables with their error messages. Values are never quoted, because some are secrets. */
const variables = z.object({
  ...databaseVariables,
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, DEFAULT_PORT),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300, 0),
  PUBLIC_URL: address(['http:', 'https:'])
    .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment, because paths are added to it')
    .optional(),
  WHORL_SECRET: secret.optional(),
  WHORL_SECRET_PREVIOUS: secret.optional(),
  WHORL_SECRET_PREVIOUS_LEAKED: flag(false),
  TRUSTED_PROXIES: trustedProxies,
  SMTP_URL: address(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z.string().optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z.string().optional(),
  TEXT_URL: address(['http:', 'https:']).optional(),
  TEXT_TOKEN: z.string().optional(),
  ...signInVariables,
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  ALLOW_PRIVATE_WEBHOOKS: privateReceivers,
  WORKERS: flag(true),
  ADDRESS_DATABASES: addressDatabases,
  ADDRESS_LISTS: addressLists,
  ADDRESS_SOURCES: z.string().optional(),
});
type Variables = z.output<typeof variables>;

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 *
 * @throws OperatorError with a sentence for each invalid variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const { data, error } = variables.safeParse(present);
  if (!data)
    throw new OperatorError(error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`).join(' '));
  const problems = [...incompleteGroups(data, groups), ...conflicts(data)];
  if (problems.length > 0) throw new OperatorError(problems.join(' '));
  return configFrom(data);
}

const groups = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['TEXT_URL', 'TEXT_TOKEN'],
  signInGroup,
] as const satisfies readonly (readonly (keyof Variables)[])[];

/** Returns errors for variables that must be set together. */
function incompleteGroups(data: Variables, sets: readonly (readonly (keyof Variables)[])[]): string[] {
  return sets.flatMap((names) => {
    const missing = names.filter((name) => data[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    return `${missing.join(' and ')} must be set together with ${names.filter((name) => !missing.includes(name)).join(' and ')}.`;
  });
}

function conflicts(data: Variables): string[] {
  const problems: string[] = [];
  if (data.DATABASE_URL && !data.WHORL_SECRET) {
    problems.push('WHORL_SECRET must be set with DATABASE_URL; create one with "openssl rand -base64 32".');
  }
  if (data.WHORL_SECRET_PREVIOUS !== undefined && data.WHORL_SECRET_PREVIOUS === data.WHORL_SECRET) {
    problems.push('WHORL_SECRET_PREVIOUS must differ from WHORL_SECRET: set it to the secret used before.');
  }
  if (data.TWILIO_FROM && data.TEXT_URL) problems.push('Only one of TWILIO_… and TEXT_… can be set.');
  return [...problems, ...databaseConflicts(data), ...signInConflicts(data)];
}

function configFrom(data: Variables): Config {
  const text = textFrom(data);
  return {
    database: databaseFrom(data),
    dataFolder: data.DATA_FOLDER,
    host: data.HOST,
    port: data.PORT,
    shutdownDelayMs: data.SHUTDOWN_DELAY_SECONDS * 1000,
    publicUrl: (data.PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, ''),
    ...(data.WHORL_SECRET && { secret: data.WHORL_SECRET }),
    ...(data.WHORL_SECRET_PREVIOUS && { previousSecret: data.WHORL_SECRET_PREVIOUS }),
    previousSecretLeaked: data.WHORL_SECRET_PREVIOUS_LEAKED,
    trustedProxies: data.TRUSTED_PROXIES,
    ...(data.SMTP_URL && data.MAIL_FROM && { mail: { url: data.SMTP_URL, from: data.MAIL_FROM } }),
    ...(text && { text }),
    signIn: signInFrom(data),
    logLevel: data.LOG_LEVEL,
    allowPrivateWebhooks: data.ALLOW_PRIVATE_WEBHOOKS,
    workers: data.WORKERS,
    addressFiles: { databases: data.ADDRESS_DATABASES, lists: data.ADDRESS_LISTS },
    ...(data.ADDRESS_SOURCES && { addressSources: data.ADDRESS_SOURCES }),
  };
}

function textFrom(data: Variables): TextOptions | undefined {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TEXT_URL, TEXT_TOKEN } = data;
  if (TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && TWILIO_FROM) {
    return { kind: 'twilio', accountSid: TWILIO_ACCOUNT_SID, authToken: TWILIO_AUTH_TOKEN, from: TWILIO_FROM };
  }
  return TEXT_URL && TEXT_TOKEN ? { kind: 'http', url: TEXT_URL, token: TEXT_TOKEN } : undefined;
}
