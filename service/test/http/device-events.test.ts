import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
import { devicePagesOf, never, type SignedIn } from '../support/device-pages.js';
import { openEvents } from '../support/event-reader.js';
import { createOutbox } from '../support/outbox.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { configFor, startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('the events of a device', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  /** Another process, which polls the database instead of listening, at a short interval. */
  let deaf: SecondApp;
  let deafWatch: DeviceWatch;

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
  const { signUp, open, ask, hears } = devicePagesOf(() => ({ service, customer }));

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

  test('a stream ends before its token expires', async () => {
    const page = await signUp('ann');
    service.clock.advance(23.9 * hourMs);
    const reader = await open(page, {}, deaf.url);
    expect(reader.hasEnded()).toBe(false);
    service.clock.advance(hourMs);
    await waitFor(reader.hasEnded, { what: 'the end of the stream' });
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
