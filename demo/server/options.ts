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
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws StartError for a variable with a value that it cannot have. */
export function readOptions(environment: Environment): Options {
  const keys = environment.WHORL_DEMO_KEYS || 'live';
  if (keys !== 'live' && keys !== 'test') throw new StartError(`WHORL_DEMO_KEYS must be live or test, not ${keys}.`);
  const options = {
    host: environment.HOST || 'localhost',
    port: readPort(environment, 'PORT', 4100),
    servicePort: readPort(environment, 'SERVICE_PORT', 4200),
    dataFolder: environment.DATA_FOLDER || join(demoFolder, 'data'),
    keys,
    moreOrigins: readOrigins(environment.WHORL_DEMO_ORIGINS ?? ''),
  } as const;
  if (options.port !== 0 && options.port === options.servicePort) {
    throw new StartError(`PORT and SERVICE_PORT are both ${options.port}: the pages and the service need one each.`);
  }
  return options;
}

/** 0: any that is free. */
function readPort(environment: Environment, name: string, value: number): number {
  const text = environment[name];
  const port = text ? Number(text) : value;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`${name} must be a number from 0 to 65535, not ${text}.`);
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
