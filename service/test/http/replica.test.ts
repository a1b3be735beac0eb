import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCallers } from '../access/callers.js';
import { outcomeOf, requestRoute } from '../access/request.js';
import { outcomeFor, routeKinds } from '../access/table.js';
import { administratorAt } from '../support/admin.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { type DatabasePort, openDatabasePort } from '../support/database-port.js';
import { createDatabase, type FreshDatabase } from '../support/databases.js';
import { type Replicated, startReplicated } from '../support/replicated.js';
import { startService, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';
import { waitFor } from '../support/wait-for.js';

let members = 0;

describe.skipIf(!inject('databases').postgresql)('a read replica', () => {
  let servers: Replicated;
  let port: DatabasePort;
  let running: TestService[] = [];
  beforeAll(async () => {
    servers = await startReplicated();
    port = await openDatabasePort(servers.standbyUrl);
    port.connect();
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.close()));
    running = [];
  });
  afterAll(async () => {
    port.close();
    await servers.stop();
  });

  const start = async ({ maxLagSeconds = 300, url = port.url, environment: more = {} } = {}): Promise<TestService> => {
    const lag = { DATABASE_REPLICA_MAX_LAG_SECONDS: String(maxLagSeconds) };
    const environment = { DATABASE_REPLICA_URL: url, ...lag, LOG_LEVEL: 'silent', ...more };
    const service = await startService({ database: 'postgresql', on: servers.primary, environment });
    running.push(service);
    return service;
  };
  const untilStatus = (service: TestService, status: string) =>
    waitFor(() => service.service.replica?.state.status === status, { what: `the status ${status}` });
  const metricsOf = async ({ url }: TestService) => (await fetch(`${url}/metrics`)).text();
  const whilePaused = async (act: () => Promise<void>) => {
    await servers.onStandby('select pg_wal_replay_pause()');
    try {
      await act();
    } finally {
      await servers.onStandby('select pg_wal_replay_resume()');
      await servers.catchUp();
    }
  };

  const memberAt = (service: TestService): Promise<Visitor> => {
    members += 1;
    return administratorAt(service.url, service.service, `member${members}@example.com`);
  };
  /** A project with one member who adds entries to its lists, and one who looks at them. */
  const openShop = async (service: TestService) => {
    const project = await service.newProject();
    const path = `/dashboard/${project.project.id}/live/lists`;
    const see = async (visitor: Visitor) => {
      const { status, text } = await visitor.get(path);
      expect(status, text).toBe(200);
      return text;
    };
    const writer = await memberAt(service);
    const add = async (value: string) => {
      await see(writer);
      const { status, text } = await writer.post(path, { kind: 'user', effect: 'review', value });
      expect(status, text).toBe(303);
    };
    return { writer, reader: await memberAt(service), see, add, customer: customerOf(service, project) };
  };

  test('serves pages, except to a browser that has just changed something', async () => {
    const [service, other] = [await start(), await start()];
    const { writer, reader, see, add, customer } = await openShop(service);
    await servers.catchUp();
    await whilePaused(async () => {
      await add('mallory');
      expect(await see(reader)).not.toContain('mallory');
      expect(await see(writer)).toContain('mallory');
      // At another process too, which knows no more than the cookie.
      const elsewhere = visitorOf(other);
      for (const [name, value] of writer.cookies) elsewhere.cookies.set(name, value);
      expect(await see(elsewhere)).toContain('mallory');
      // A program sees everything that was saved before its request.
      const { evaluation_id } = await customer.evaluate({
        action: 'login',
        user: 'ada',
        fingerprint: laptop,
        ip: home,
      });
      expect((await customer.get('/v2/evaluations')).body.data).toMatchObject([{ evaluation_id }]);
      await waitFor(async () => /The read replica is [1-9]\d* seconds? behind\./.test(await see(reader)), {
        what: 'the page to say how old it is',
      });
      expect(await metricsOf(service)).toMatch(/^whorl_replica_lag_seconds [1-9]/m);
    });
    expect(await see(reader)).toContain('mallory');
    await waitFor(async () => (await see(reader)).includes('The read replica is up to date.'), {
      what: 'the page to say that it is up to date',
    });
    expect(await metricsOf(service)).toMatch(/^whorl_replica_used 1$/m);
  });

  test('is not used while it is too far behind', async () => {
    const service = await start({ maxLagSeconds: 1 });
    const { reader, see, add } = await openShop(service);
    await whilePaused(async () => {
      await add('mallory');
      await untilStatus(service, 'behind');
      const text = await see(reader);
      expect(text).toContain('mallory');
      expect(text).toContain('The read replica is too far behind.');
      expect(await metricsOf(service)).toMatch(/^whorl_replica_used 0$/m);
    });
    await untilStatus(service, 'used');
    expect(await see(reader)).not.toContain('too far behind');
  });

  test('ignores positions that a browser has made up', async () => {
    const service = await start();
    const { reader, see, add } = await openShop(service);
    await servers.catchUp();
    await whilePaused(async () => {
      await add('mallory');
      const name = '__Host-whorl_dashboard_written';
      for (const value of ['', '0/0', 'x', "0/0'::pg_lsn", 'FFFFFFFFF/0']) {
        reader.cookies.set(name, value);
        expect(await see(reader)).not.toContain('mallory');
      }
      reader.cookies.set(name, 'FFFFFFFF/FFFFFFFF');
      expect(await see(reader)).toContain('mallory');
    });
  });

  test('may be of the same server and database only', async () => {
    const fresh: FreshDatabase = await createDatabase('postgresql');
    if (fresh.options.kind !== 'postgresql') throw new Error('That is another database');
    const words = 'DATABASE_REPLICA_URL leads to another database than DATABASE_URL';
    await expect(start({ url: fresh.options.url })).rejects.toThrow(words);
    const sibling = Object.assign(new URL(servers.standbyUrl), { pathname: '/postgres' }).href;
    await expect(start({ url: sibling })).rejects.toThrow(words);
    await fresh.drop();
  });

  test('gets nothing but reads', async () => {
    const service = await start({ environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
    const callers = await createCallers(service);
    await servers.catchUp();
    const counted = async (column: 'xact_commit' | 'xact_rollback') =>
      Number(await servers.onStandby(`select ${column} from pg_stat_database where datname = current_database()`));
    const [reads, refused] = [await counted('xact_commit'), await counted('xact_rollback')];
    const faults: string[] = [];
    let requests = 0;
    for (const kind of routeKinds) {
      for (const name of ['live', 'owner'] as const) {
        if (outcomeFor(kind, name) !== 'yes') continue;
        for (const route of kind.routes) {
          requests += 1;
          const caller = await callers.caller(name, !route.startsWith('GET'));
          const answer = await requestRoute(service.url, { route, address: `203.0.113.${requests % 256}` }, caller);
          if (outcomeOf(answer) !== 'yes') faults.push(`${route}, ${name}: ${outcomeOf(answer)} ${answer.text}`);
        }
      }
    }
    expect(faults).toEqual([]);
    await waitFor(async () => (await counted('xact_commit')) > reads + 100, { what: 'the reads to be counted' });
    // A write would have been refused, and its transaction rolled back.
    expect(await counted('xact_rollback')).toBe(refused);
    expect(service.service.replica?.state.status).toBe('used');
  });

  test('makes no page fail when it freezes, is cut off, dies or is promoted', async () => {
    const service = await start();
    const { reader, see, add } = await openShop(service);
    await untilStatus(service, 'used');
    /** Requests pages all the time, from before the fault until it is noticed. */
    const throughout = async (fault: () => Promise<void> | void, status: string) => {
      let isOver = false;
      let pages = 0;
      const visit = async () => {
        while (!isOver) {
          await see(reader);
          pages += 1;
        }
      };
      const visits = [visit(), visit(), visit()];
      await waitFor(() => pages > 3, { what: 'pages' });
      await fault();
      await untilStatus(service, status);
      const noticed = pages;
      await waitFor(() => pages > noticed + 3, { what: 'more pages' });
      isOver = true;
      await Promise.all(visits);
    };
    for (const fault of [port.freeze, port.cut]) {
      await throughout(fault, 'unreachable');
      expect(await see(reader)).toContain('The read replica cannot be reached.');
      port.connect();
      await untilStatus(service, 'used');
    }
    await throughout(async () => {
      await servers.onStandby('select pg_promote()');
    }, 'not_a_standby');
    await add('mallory');
    expect(await see(reader)).toContain('mallory');
    await throughout(servers.killStandby, 'unreachable');
    expect(await see(reader)).toContain('mallory');
    // A start does not need it.
    const late = await start();
    expect(late.service.replica?.state.status).toBe('unreachable');
  });
});
