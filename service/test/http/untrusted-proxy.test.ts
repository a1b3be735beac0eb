import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { callApi } from '../support/api.js';
import { type Customer, customerOf, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

/** IP address of all connections in these tests, like those of a proxy on the same machine. */
const proxy = '127.0.0.1';
const visitor = '203.0.113.80';

describeDatabases('a proxy that is not in TRUSTED_PROXIES', (kind) => {
  let service: TestService;
  let app: SecondApp;
  /** Simulates another process, with a memory of its own. */
  let other: SecondApp;
  let project: TestProject;
  let customer: Customer;
  let users = 0;
  let user: string;
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { TRUSTED_PROXIES: 'none' } });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    // Forgets the requests of other tests.
    service.clock.advance(2 * hourMs);
    const open = () => openSecondApp({ ...service.service, memory: {} }, { trustedProxies: [] });
    [app, other] = await Promise.all([open(), open()]);
    project = await service.newProject({ allowed_origins: [origin], rate_limits: { publishable_per_second: 1000 } });
    customer = customerOf(service, project);
    users += 1;
    user = `user ${users}`;
    // Trusted, as is the IP address.
    await customer.evaluate({ action: 'signup', user, fingerprint: laptop, ip: proxy, email: `${users}@example.com` });
    return async () => {
      await app.close();
      await other.close();
    };
  });

  const forwarded = { 'X-Forwarded-For': visitor };
  const byPage = async (headers: Record<string, string> = {}, { url } = app, action = 'login') => {
    const body = { action, user, fingerprint: laptop };
    const key = project.keys.live.publishable;
    const answer = await callApi(url, '/v2/device/evaluate', { key, body, headers: { Origin: origin, ...headers } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const byServer = (name = user) => customer.evaluate({ action: 'login', user: name, fingerprint: laptop, ip: proxy });

  test.each([forwarded, { Forwarded: `for=${visitor}` }])(
    'gives no trust by its address for an hour: %j',
    async (headers) => {
      expect((await byPage()).verdict).toBe('allow');
      expect((await byPage(headers)).verdict).toBe('challenge');
      expect((await byPage()).verdict).toBe('challenge');
      service.clock.advance(hourMs);
      expect((await byPage()).verdict).toBe('allow');
    },
  );

  test('gives no trust in other processes either', async () => {
    expect((await byPage({}, other)).verdict).toBe('allow');
    await byPage(forwarded);
    const isChallenged = async () => (await byPage({}, other)).verdict === 'challenge';
    await waitFor(isChallenged, { what: 'the other process to hear of it' });
  });

  test('does not affect secret keys, which send the IP address', async () => {
    await byPage(forwarded);
    expect((await byServer()).verdict).toBe('allow');
  });

  test.each([0, 2 * hourMs])('is not trusted by a claim, consumed or completed, even %i ms later', async (laterMs) => {
    user = `new ${user}`;
    const ask = async (path: string, body?: object) => {
      const answer = await callApi(app.url, path, { key: project.keys.live.secret, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    const { evaluation_id } = await byPage(forwarded, app, 'signup');
    await ask(`/v2/evaluations/${evaluation_id}/consume`, { user, action: 'signup' });
    const refused = { verdict: 'challenge', reasons: expect.arrayContaining(['new_ip']) };
    expect(await byServer()).toMatchObject(refused);
    const { challenge_id } = await byPage(forwarded);
    service.clock.advance(laterMs);
    await ask(`/v2/challenges/${challenge_id}/complete`);
    expect(await byServer()).toMatchObject(refused);
  });

  test('is not trusted by a consumed claim while only this process remembers the proxy', async () => {
    const { evaluation_id, verdict } = await byPage();
    expect(verdict).toBe('allow');
    const forget = () => service.db.deleteFrom('forwarders').executeTakeFirst();
    await forget();
    await byPage(forwarded);
    await waitFor(async () => (await forget()).numDeletedRows > 0n, { what: 'the proxy to be saved' });
    const consume = `/v2/evaluations/${evaluation_id}/consume`;
    const body = { user, action: 'login' };
    const consumed = await callApi(app.url, consume, { key: project.keys.live.secret, body });
    expect(consumed.body).toMatchObject({ verdict: 'challenge', reasons: expect.arrayContaining(['new_ip']) });
  });

  test('does not match the allow list', async () => {
    const listed = await service.newProject({ allowed_origins: [origin] });
    await service.list(listed, ['allow', 'address', proxy]);
    project = listed;
    expect((await byPage()).verdict).toBe('allow');
    expect((await byPage(forwarded)).verdict).toBe('challenge');
  });

  test('is logged once, without addresses, and shown on each page of the dashboard in every process', async () => {
    for (let times = 1; times <= 3; times++) await byPage(forwarded);
    const warnings = app.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.msg).toMatch(/came from an address that is not in TRUSTED_PROXIES\. If it is your proxy, add/);
    for (const address of [proxy, visitor]) expect(JSON.stringify(warnings)).not.toContain(address);
    const ada = await administratorAt(other.url, service.service, `ada-${users}@example.com`);
    const banner =
      /Requests came through a proxy that is not in TRUSTED_PROXIES \. In the last hour, requests came from 127\.0\.0\.1\./;
    const shows = async () => banner.test((await ada.get('/dashboard/account', forwarded)).text);
    await waitFor(shows, { what: 'the banner' });
    expect((await ada.get('/dashboard')).text).toMatch(banner);
  });

  test('is not reported if it is configured', async () => {
    const named = await openSecondApp({ ...service.service, memory: {} });
    const ada = await administratorAt(named.url, service.service, `named-${users}@example.com`);
    expect((await ada.get('/dashboard', forwarded)).text).not.toContain('Requests came through');
    expect(named.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    await named.close();
  });
});

describe('a service without mail', () => {
  test('shows this on each page of the dashboard', async () => {
    const channels = new Set(['text'] as const);
    const sender = {
      channels,
      sendCode: async () => undefined,
      sendMail: async () => undefined,
      close: () => undefined,
    };
    const service = await startService({ database: 'embedded', sender });
    const ada = await administratorAt(service.url, service.service, 'ada@example.com');
    for (const path of ['/dashboard/projects', '/dashboard/account', '/dashboard/audit']) {
      expect((await ada.get(path)).text).toContain('Email is not configured. Whorl cannot send codes by email');
    }
    await service.close();
  });
});
