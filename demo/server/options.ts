import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { demoFolder } from './folders.js';
import { StartError } from './start-error.js';

/** The options from the environment. */
export interface Options {
  /** The host on which the pages and the service listen. */
  readonly host: string;
  readonly port: number;
  readonly servicePort: number;
  readonly dataFolder: string;
  /** Which of the project's keys are used. With live keys, an automated browser is challenged. */
  readonly keys: 'live' | 'test';
  /** Additional origins whose pages may call `evaluate`, for an application in development. */
  readonly moreOrigins: readonly string[];
  /** How many days of history the seed creates. */
  readonly seedDays: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options from the environment.
 *
 * @throws StartError for a variable with an invalid value.
 */
export function readOptions(environment: Environment): Options {
  const keys = environment.WHORL_DEMO_KEYS || 'live';
  if (keys !== 'live' && keys !== 'test') throw new StartError(`WHORL_DEMO_KEYS must be live or test, not ${keys}.`);
  const options = {
    host: environment.HOST || 'localhost',
    // 0 means any free port.
    port: readNumber(environment, 'PORT', { value: 4100, min: 0, max: 65_535 }),
    servicePort: readNumber(environment, 'SERVICE_PORT', { value: 4200, min: 0, max: 65_535 }),
    dataFolder: environment.DATA_FOLDER || join(demoFolder, 'data'),
    keys,
    moreOrigins: readOrigins(environment.WHORL_DEMO_ORIGINS ?? ''),
    seedDays: readNumber(environment, 'WHORL_DEMO_SEED_DAYS', { value: 36, min: 1, max: 90 }),
  } as const;
  if (options.port !== 0 && options.port === options.servicePort) {
    throw new StartError(
      `PORT and SERVICE_PORT are both ${options.port}: the pages and the service each need their own.`,
    );
  }
  return options;
}

function readNumber(
  environment: Environment,
  name: string,
  { value, min, max }: { value: number; min: number; max: number },
): number {
  const text = environment[name];
  const number = text ? Number(text) : value;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new StartError(`${name} must be a number from ${min} to ${max}, not ${text}.`);
}

/** Reads a comma-separated list of origins. */
function readOrigins(text: string): string[] {
  const origins = text.split(',').map((part) => part.trim());
  return origins
    .filter((origin) => origin !== '')
    .map((origin) => {
      if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
      throw new StartError(`WHORL_DEMO_ORIGINS must be origins such as http://localhost:3000, not ${origin}.`);
    });
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the host names under which pages may be opened. The first one is shown to people. */
export function hostNames(host: string): string[] {
  if (host === 'localhost') return LOOPBACK;
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  return [...new Set([...LOOPBACK, ...own])];
}
