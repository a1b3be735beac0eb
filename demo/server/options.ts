import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { demoFolder } from './folders.js';
import { StartError } from './start-error.js';

/** What the environment says. */
export interface Options {
  /** Where pages and service listen. */
  readonly host: string;
  readonly port: number;
  readonly servicePort: number;
  readonly dataFolder: string;
  /** Which keys of the project are used. A browser that a program drives is challenged with live ones. */
  readonly keys: 'live' | 'test';
  /** Origins beside the demo's own whose pages may call `evaluate`: of an application that is being built. */
  readonly moreOrigins: readonly string[];
  /** How many days of life the seed makes. */
  readonly seedDays: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws StartError for a variable with a value that it cannot have. */
export function readOptions(environment: Environment): Options {
  const keys = environment.WHORL_DEMO_KEYS || 'live';
  if (keys !== 'live' && keys !== 'test') throw new StartError(`WHORL_DEMO_KEYS must be live or test, not ${keys}.`);
  const options = {
    host: environment.HOST || 'localhost',
    // 0: any that is free.
    port: readNumber(environment, 'PORT', { value: 4100, least: 0, most: 65_535 }),
    servicePort: readNumber(environment, 'SERVICE_PORT', { value: 4200, least: 0, most: 65_535 }),
    dataFolder: environment.DATA_FOLDER || join(demoFolder, 'data'),
    keys,
    moreOrigins: readOrigins(environment.WHORL_DEMO_ORIGINS ?? ''),
    seedDays: readNumber(environment, 'WHORL_DEMO_SEED_DAYS', { value: 36, least: 1, most: 90 }),
  } as const;
  if (options.port !== 0 && options.port === options.servicePort) {
    throw new StartError(`PORT and SERVICE_PORT are both ${options.port}: the pages and the service need one each.`);
  }
  return options;
}

function readNumber(
  environment: Environment,
  name: string,
  { value, least, most }: { value: number; least: number; most: number },
): number {
  const text = environment[name];
  const number = text ? Number(text) : value;
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new StartError(`${name} must be a number from ${least} to ${most}, not ${text}.`);
}

/** With commas between. */
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

/** The host names under which pages may be opened, the one to tell people first. */
export function hostNames(host: string): string[] {
  if (host === 'localhost') return LOOPBACK;
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  return [...new Set([...LOOPBACK, ...own])];
}
