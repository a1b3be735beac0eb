import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createLog,
  createProject,
  DeviceWatch,
  dayMs,
  detachIdleDevices,
  hourMs,
  startServer,
} from '../../src/testing.js';
import { callApi } from '../support/api.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { createDatabase, describeDatabases, describePostgresql } from '../support/databases.js';
import { type EventReader, openEvents } from '../support/event-reader.js';
import { createOutbox } from '../support/outbox.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { configFor, startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

/** Longer than any test waits, so that only notifications can deliver events. */
const never = { pollMs: dayMs };

interface SignedIn {
  readonly device: string;
  readonly token: string;
}

describeDatabases('the events of a device', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  /** Another process, which polls the database instead of listening, at a short interval. */
  let deaf: SecondApp;
  let deafWatch: DeviceWatch;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    service = await startService({ database: kind, watch: never });
    deafWatch = new DeviceWatch(service.service, { beatMs: 50, pollMs: 200 });
    deaf = await openSecondApp(service.service, {}, deafWatch);
  });
  afterAll(async () => {
    await deafWatch.close();
    await deaf.close();
    await service.close();
  });
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  /** First device of an account, which is trusted from the start. */
  const signUp = async (user: string, fingerprint = laptop): Promise<SignedIn> => {
    const { device_id, device_token } = await customer.evaluate({ action: 'signup', user, fingerprint, ip: home });
    return { device: device_id, token: device_token };
  };
  const open = async (page: SignedIn, headers: Record<string, string> = {}, base = service.url) => {
    const reader = await openEvents(base, { ...page, headers });
    readers.push(reader);
    return reader;
  };
  const ask = ({ device, token }: SignedIn, headers: Record<string, string> = {}) =>
    service.api(`/v2/device/${device}/events`, { key: token, headers: { Accept: 'application/json', ...headers } });
  const hears = (reader: EventReader, type: string) =>
    waitFor(() => reader.events.some((event) => event.type === type), { what: type });

  const causes: Record<string, (page: SignedIn) => Promise<unknown>> = {
    detach: ({ device }) => customer.ask(`/v2/device/${device}/detach`),
    block: ({ device }) => customer.ask(`/v2/device/${device}/update`, { status: 'blocked' }),
    suspend: () => customer.ask('/v2/user/ann/update', { status: 'suspended' }),
    delete: () => customer.ask('/v2/user/ann/delete'),
    kick: async ({ device }) => {
      const { id, code } = await customer.sendCode('ann', { fingerprint: phone, ip: elsewhere });
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      await customer.ask(`/v2/challenges/${id}/kick`, { device });
    },
  };

  test.each(Object.entries(causes))(
    'detached by %s: the page hears at once, and nothing after it',
    async (cause, act) => {
      const page = await signUp('ann');
      const reader = await open(page);
      expect(reader.status).toBe(200);
      expect(reader.headers.get('Content-Type')).toBe('text/event-stream');
      await act(page);
      await hears(reader, 'detached');
      expect(reader.events).toEqual([
        {
          type: 'detached',
          data: {
            device_id: page.device,
            cause,
            ...(cause !== 'delete' && { detached_at: expect.stringMatching(/^\d{4}-.*Z$/) }),
          },
        },
      ]);
      await waitFor(reader.hasEnded, { what: 'the end of the stream' });
      // Also pages that connect later, and pages that only poll.
      const late = await open(page);
      await hears(late, 'detached');
      expect((await ask(page)).body.data).toMatchObject([{ type: 'detached', data: { cause } }]);
    },
  );

  test('detached after inactivity', async () => {
    const page = await signUp('ann');
    const earlier = service.clock.now();
    const reader = await open(page);
    await service.db
      .updateTable('devices')
      .set({ last_seen_at: new Date(earlier.getTime() - 40 * dayMs) })
      .where('id', '=', page.device)
      .execute();
    await detachIdleDevices(service.service);
    await hears(reader, 'detached');
    expect(reader.events[0]?.data.cause).toBe('auto_detach');
  });

  test('a page that was offline while its device was detached and attached again learns of it; the new device does not', async () => {
    const before = await signUp('ann');
    // Tokens contain their creation time in seconds.
    service.clock.advance(2000);
    await customer.ask(`/v2/device/${before.device}/detach`);
    service.clock.advance(5000);
    const { challenge_id } = await customer.challenge('ann', { ip: elsewhere });
    await customer.ask(`/v2/challenges/${challenge_id}/complete`);
    const now = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: elsewhere });
    expect(now).toMatchObject({ verdict: 'allow', device_id: before.device });
    const after = { device: before.device, token: now.device_token };
    expect((await ask(after)).body).toEqual({ data: [] });
    expect((await ask(before)).body.data).toMatchObject([{ type: 'detached', data: { cause: 'detach' } }]);
  });

  test('a challenge is sent once, and again only to pages that missed it', async () => {
    const page = await signUp('ann');
    const reader = await open(page, {}, deaf.url);
    const { challenge_id } = await customer.challenge('ann', { action: 'payment', ip: elsewhere });
    await hears(reader, 'challenge');
    expect(reader.events).toEqual([{ type: 'challenge', data: { device_id: page.device, challenge_id } }]);
    expect(reader.text()).toContain(`id: ${challenge_id}\n`);
    expect((await ask(page)).body.data).toMatchObject([{ id: challenge_id, type: 'challenge' }]);
    const known = { 'Last-Event-ID': challenge_id };
    expect((await ask(page, known)).body.data).toEqual([]);
    const other = await customer.challenge('ann', { action: 'password_reset', ip: elsewhere });
    const resumed = await open(page, known);
    await hears(resumed, 'challenge');
    expect(resumed.events.map(({ data }) => data.challenge_id)).toEqual([other.challenge_id]);
  });

  test('a process without notifications polls devices and sends heartbeats', async () => {
    const page = await signUp('ann');
    const reader = await open(page, {}, deaf.url);
    await waitFor(() => (reader.text().match(/^:$/gm) ?? []).length > 2, { what: 'beats' });
    expect(reader.text()).toMatch(/^retry: \d+\n\n/);
    await customer.ask(`/v2/device/${page.device}/detach`);
    await hears(reader, 'detached');
  });

  test('changes from before listening started are read afterwards', async () => {
    const page = await signUp('ann');
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const listen = async () => {
      await begun;
      return async () => undefined;
    };
    const watch = new DeviceWatch(service.service, { ...never, listen });
    const app = await openSecondApp(service.service, {}, watch);
    const reader = await open(page, {}, app.url);
    await customer.ask(`/v2/device/${page.device}/detach`);
    begin();
    await hears(reader, 'detached');
    await watch.close();
    await app.close();
  });

  test('only a token of the device opens its stream', async () => {
    const page = await signUp('ann');
    const other = await signUp('bob', phone);
    const { secret, publishable } = project.keys.live;
    for (const token of ['', 'x', secret, publishable, `${page.token}x`]) {
      const answer = await ask({ device: page.device, token });
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
    expect(await ask({ device: page.device, token: other.token })).toMatchObject({ status: 404 });
    expect(await ask({ device: 'nobody', token: other.token })).toMatchObject({ status: 404 });
  });

  test('a token past half its lifetime is replaced, and an expired one is rejected', async () => {
    const page = await signUp('ann');
    service.clock.advance(13 * hourMs);
    const reader = await open(page);
    await hears(reader, 'token');
    const newer = { ...page, token: reader.events[0]?.data.device_token };
    expect((await ask(page)).body.device_token).toBeTruthy();
    expect((await ask(newer)).body).toEqual({ data: [] });
    service.clock.advance(12 * hourMs);
    expect(await ask(page)).toMatchObject({ status: 401 });
    expect(await ask(newer)).toMatchObject({ status: 200 });
  });

  test('a token is not replaced after its device was detached', async () => {
    const page = await signUp('ann');
    await customer.ask(`/v2/device/${page.device}/detach`);
    service.clock.advance(13 * hourMs);
    expect((await ask(page)).body).toEqual({ data: [expect.objectContaining({ type: 'detached' })] });
  });

  test('a stream ends before its token expires', async () => {
    const page = await signUp('ann');
    service.clock.advance(23.9 * hourMs);
    const reader = await open(page, {}, deaf.url);
    expect(reader.hasEnded()).toBe(false);
    service.clock.advance(hourMs);
    await waitFor(reader.hasEnded, { what: 'the end of the stream' });
  });

  test('pages of other origins are rejected', async () => {
    const page = await signUp('ann');
    const path = `/v2/device/${page.device}/events`;
    const preflight = (from: string) =>
      service.api(path, {
        method: 'OPTIONS',
        headers: { Origin: from, 'Access-Control-Request-Method': 'GET' },
      });
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('Access-Control-Allow-Methods')).toBe('GET');
    expect(allowed.headers.get('Access-Control-Allow-Headers')).toMatch(/Authorization.*Last-Event-ID/);
    expect(allowed.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect((await preflight('https://strange.example')).status).toBe(403);
    const reader = await open(page, { Origin: origin });
    expect(reader.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    const refused = await ask({ ...page, token: 'x' }, { Origin: origin });
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    await service.newProject({ allowed_origins: ['https://other.example'] });
    for (const from of ['https://strange.example', 'https://other.example']) {
      const answer = await ask(page, { Origin: from });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });

  test('at most four pages of one device can wait, and closed ones make room', async () => {
    const page = await signUp('ann');
    const pages = [];
    for (let count = 0; count < 4; count++) pages.push(await open(page));
    const fifth = await open(page);
    expect(fifth.status).toBe(429);
    expect(fifth.headers.get('Retry-After')).toBeTruthy();
    expect((await ask(page)).status).toBe(200);
    pages[0]?.close();
    const isLetIn = async () => (await open(page)).status === 200;
    await waitFor(isLetIn, { what: 'room' });
    await customer.ask(`/v2/device/${page.device}/detach`);
    for (const each of pages.slice(1)) await hears(each, 'detached');
  });

  test('each of a hundred devices receives its own events', async () => {
    const pages: SignedIn[] = [];
    for (let count = 0; count < 100; count++) pages.push(await signUp(`user ${count}`));
    const opened = await Promise.all(pages.map((page) => open(page)));
    await Promise.all(pages.filter((_, at) => at % 2).map(({ device }) => customer.ask(`/v2/device/${device}/detach`)));
    for (const [at, reader] of opened.entries()) if (at % 2) await hears(reader, 'detached');
    for (const [at, { events }] of opened.entries()) {
      const told = events.filter(({ type }) => type === 'detached').map(({ data }) => data.device_id);
      expect(told).toEqual(at % 2 ? [pages[at]?.device] : []);
    }
  });

  test('the consumer of a claim gets a token for its page', async () => {
    const { evaluation_id } = await customer.claim('ann', { action: 'signup' });
    const request = { user: 'ann', action: 'signup' };
    const record = await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, request);
    const page = { device: record.device_id, token: record.device_token };
    expect(await ask(page)).toMatchObject({ status: 200 });
    expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body.device_token).toBeUndefined();
  });

  test('HEAD does not open a stream', async () => {
    const { device, token } = await signUp('ann');
    const path = new URL(`/v2/device/${device}/events`, service.url);
    for (let count = 0; count < 6; count++) {
      const answer = await fetch(path, { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
    }
    expect((await open({ device, token })).status).toBe(200);
  });
});

describeDatabases('shutdown', (kind) => {
  test('ends the streams', async () => {
    const service = await startService({ database: kind });
    const customer = customerOf(service, await service.newProject());
    const { device_id, device_token } = await customer.evaluate({
      action: 'signup',
      user: 'ann',
      fingerprint: laptop,
      ip: home,
    });
    const reader = await openEvents(service.url, { device: device_id, token: device_token });
    await service.close();
    // Requests that are still open after 10 seconds are aborted instead, which does not end a stream properly.
    await waitFor(reader.hasEnded, { what: 'the end of the stream' });
  });
});

describePostgresql('several processes', () => {
  test('notify the pages of another process at once', async () => {
    const fresh = await createDatabase('postgresql');
    const surroundings = () => ({ log: createLog('error'), sender: createOutbox(), watch: never });
    const start = () => startServer(configFor(fresh.options), surroundings());
    const [here, there] = [await start(), await start()];
    try {
      const project = await createProject(here.service, { name: 'Shop' });
      const key = project.keys.live.secret;
      const body = { action: 'signup', user: 'ann', fingerprint: laptop, ip: home };
      const { device_id: device, device_token: token } = (await callApi(here.url, '/v2/device/evaluate', { key, body }))
        .body;
      const reader = await openEvents(there.url, { device, token });
      await waitFor(() => reader.text().includes('retry'), { what: 'the stream' });
      // Once the connection listens, which starts with the first waiting page.
      await waitFor(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where query like 'listen %' and datname = current_database()
          `.execute(here.database.db);
          return rows.length > 0;
        },
        { what: 'listening' },
      );
      await callApi(here.url, `/v2/device/${device}/detach`, { key, body: {} });
      await waitFor(() => reader.events.length > 0, { what: 'the event' });
      expect(reader.events).toMatchObject([{ type: 'detached', data: { device_id: device, cause: 'detach' } }]);
    } finally {
      await here.close();
      await there.close();
      await fresh.drop();
    }
  });
});
