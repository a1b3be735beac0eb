import { randomUUID } from 'node:crypto';
import type { ListEffect, ListKind } from 'whorl/wire';
import {
  addEntries,
  type CodeMessage,
  type Config,
  type CreatedProject,
  changeSettings,
  createLog,
  createProject,
  type DatabaseKind,
  type DatabaseOptions,
  type Mail,
  type MessageSender,
  readConfig,
  type ServerOptions,
  type Service,
  startServer,
} from '../../src/testing.js';
import { type ApiAnswer, type ApiOptions, callApi, type Parsed } from './api.js';
import { Clock } from './clock.js';
import { createDatabase, type FreshDatabase, locationOf } from './databases.js';
import { createOutbox } from './outbox.js';

export type { ApiAnswer, ApiOptions };

export const masterSecret = 'a master secret that only tests know';

export type TestProject = CreatedProject;

export interface RecordedEvent {
  readonly type: string;
  readonly data: Parsed;
}

/** Real service on a port, with its own database. */
export interface TestService {
  readonly url: string;
  readonly service: Service;
  readonly db: Service['db'];
  readonly clock: Clock;
  /** Codes sent since the newest project was created, oldest first. */
  readonly outbox: CodeMessage[];
  readonly mails: Mail[];
  /** Creates a project with non-default settings. Empties `outbox` and `mails`. */
  newProject(settings?: Readonly<Record<string, unknown>>): Promise<TestProject>;
  /** Adds entries to the lists of a project. */
  list(project: TestProject, ...entries: readonly ListedBy[]): Promise<void>;
  /** Returns the events of a project in both worlds, oldest first. */
  events(project: TestProject): Promise<RecordedEvent[]>;
  api(path: string, options?: ApiOptions): Promise<ApiAnswer>;
  /** Stops the service and deletes the database. */
  close(): Promise<void>;
}

/** Effect, kind and value of an entry, and when it expires. */
export type ListedBy = readonly [effect: ListEffect, kind: ListKind, value: string, expiresAt?: Date];

/** Time limit that even slow machines do not reach, unless a request hangs. */
export const patientMs = 60_000;

export interface StartOptions {
  readonly database: DatabaseKind;
  /** Environment variables, as an operator would set them. Background work is off unless WORKERS enables it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: a sender that records messages in `outbox` and `mails`. */
  readonly sender?: MessageSender;
  readonly watch?: ServerOptions['watch'];
  readonly checkAddressesEveryMs?: number;
  /** Existing database, which is kept when the service closes. Default: a new one, which is deleted. */
  readonly on?: FreshDatabase;
  /** Default: a new clock. */
  readonly clock?: Clock;
}

/**
 * Starts the service as `main.ts` does, with an adjustable clock and recorded messages. Share it between the tests of a
 * file.
 */
export async function startService(options: StartOptions): Promise<TestService> {
  const { database, environment, sender, watch, checkAddressesEveryMs, on, clock = new Clock() } = options;
  const fresh = on ?? (await createDatabase(database));
  const outbox = createOutbox();
  const config = configFor(fresh.options, environment);
  const log = createLog(config.logLevel);
  const { service, url, close } = await startServer(config, {
    log,
    now: clock.now,
    sender: sender ?? outbox,
    timeoutMs: patientMs,
    ...(watch && { watch }),
    ...(checkAddressesEveryMs !== undefined && { checkAddressesEveryMs }),
  });
  return {
    url,
    service,
    db: service.db,
    clock,
    outbox: outbox.codes,
    mails: outbox.mails,
    async newProject(settings = {}) {
      outbox.codes.length = 0;
      outbox.mails.length = 0;
      const created = await createProject(service, { name: `Shop ${randomUUID()}` });
      await changeSettings(service, { project: created.project.id, changes: settings, changedBy: 'test' });
      return created;
    },
    async list({ project: { id } }, ...entries) {
      const wanted = entries.map(([effect, kind, value, expiresAt]) => ({ effect, kind, value, expiresAt }));
      await addEntries(service, { projectId: id, entries: wanted, origin: { by: 'test' } });
    },
    events: (project) => eventsOf(service, project),
    api: (path, options) => callApi(url, path, options),
    async close() {
      await close();
      if (!on) await fresh.drop();
    },
  };
}

/** Returns the configuration of a service that listens on a free port of the loopback interface. */
export function configFor(database: DatabaseOptions, environment: StartOptions['environment'] = {}): Config {
  return readConfig({
    WHORL_SECRET: masterSecret,
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'https://fraud.example',
    LOG_LEVEL: 'error',
    WORKERS: 'false',
    // Allows tests to set the client's address.
    TRUSTED_PROXIES: '127.0.0.1',
    // Reading the databases takes half a second. Tests about addresses write their own.
    ADDRESS_DATABASES: 'none',
    ...locationOf(database),
    ...environment,
  });
}

async function eventsOf({ db }: Service, { project }: TestProject): Promise<RecordedEvent[]> {
  return db
    .selectFrom('events')
    .innerJoin('worlds', 'worlds.id', 'events.world_id')
    .select(['events.type', 'events.data'])
    .where('worlds.project_id', '=', project.id)
    .orderBy('events.id')
    .execute();
}
