import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { administratorAt, sectionOf } from '../support/admin.js';
import { callApi } from '../support/api.js';
import { type Customer, customerOf, home, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';

describeDatabases('the first steps', (kind) => {
  let service: TestService;
  let ada: Visitor;
  beforeAll(async () => {
    service = await startService({ database: kind });
    ada = await administratorAt(service.url, service.service, 'ada@example.com');
  });
  afterAll(() => service.close());

  describe('the start page', () => {
    const get = (accept: string, method = 'GET') => fetch(service.url, { method, headers: { Accept: accept } });

    test('leads people to the dashboard, the documentation and the health check', async () => {
      const response = await get('text/html,application/xhtml+xml,*/*;q=0.8');
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('Vary')).toBe('Accept');
      expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
      const html = await response.text();
      const paths = [...html.matchAll(/<a href="(\/[^"]*)"/g)].map(([, path]) => path);
      expect(paths).toEqual(['/dashboard', '/docs/', '/docs/api', '/readyz']);
      for (const path of paths) expect((await fetch(service.url + path)).status).toBe(200);
    });

    test.each(['*/*', 'application/json', 'text/plain'])(
      'is not there for a program that accepts %s',
      async (accept) => {
        const response = await get(accept);
        expect([response.status, (await response.json()).code]).toEqual([404, 'not_found']);
        expect((await get('text/html', 'POST')).status).toBe(404);
      },
    );
  });

  describe('the first page', () => {
    test('is the only project, and a list if there are several', async () => {
      const [only] = await service.db.selectFrom('projects').select('id').execute();
      const page = await ada.get('/dashboard');
      expect([page.status, page.headers.get('Location')]).toEqual([303, `/dashboard/${only?.id}/live/overview`]);
      expect((await ada.open('/dashboard')).html).toContain('href="/dashboard/projects"');
      await service.newProject();
      const list = await ada.get('/dashboard');
      expect([list.status, list.text]).toEqual([200, expect.stringContaining('All projects')]);
    });

    test('creates projects, with the password, and shows the secret keys once', async () => {
      await ada.get('/dashboard/projects');
      const created = await ada.submit('projects', { name: ' Outlet ' });
      expect(created.status).toBe(200);
      expect(created.text).toContain('Project created: Outlet');
      const keys = [...created.html.matchAll(/value="((?:sk|pk)_(?:live|test)_\w+)"/g)].map(([, key = '']) => key);
      expect(keys.map((key) => key.slice(0, 8)).sort()).toEqual(['pk_live_', 'pk_test_', 'sk_live_', 'sk_test_']);
      const [secret = ''] = keys.filter((key) => key.startsWith('sk_test_'));
      expect((await callApi(service.url, '/v2/challenges', { key: secret })).status).toBe(200);
      expect((await ada.get('/dashboard/projects')).text).toContain('Outlet');
      expect((await ada.get('/dashboard/audit')).text).toMatch(/Project created.*ada@example\.com/);
      for (const name of ['Outlet', ' ', 'x'.repeat(101)]) {
        await ada.get('/dashboard/projects');
        const refused = await ada.submit('projects', { name });
        expect([refused.status, refused.html.includes('aria-invalid="true"')]).toEqual([422, true]);
      }
      service.clock.advance(10 * 60_000);
      await ada.get('/dashboard/projects');
      const asked = await ada.submit('projects', { name: 'Third' });
      expect([asked.status, asked.text]).toEqual([422, expect.stringContaining('Enter your password to continue')]);
      expect(asked.html).toContain('value="Third"');
    });
  });

  describe('an empty project', () => {
    let project: TestProject;
    let customer: Customer;
    beforeEach(async () => {
      project = await service.newProject();
      customer = customerOf(service, project, 'test');
    });
    const open = (query = '') => ada.get(`${sectionOf(project, 'overview', 'test')}${query}`);
    const arrivals = async () => JSON.parse((await ada.get(`${sectionOf(project, 'overview', 'test')}/arrivals`)).html);

    test('shows three steps with its own keys, until the first evaluation has arrived', async () => {
      const page = await open();
      expect(page.text).toMatch(/1\. Your keys.*2\. Evaluate a login.*3\. Your first evaluation/);
      const { secret, publishable } = project.keys.test;
      for (const shown of [publishable, project.project.id, 'https://fraud.example'])
        expect(page.html).toContain(`value="${shown}"`);
      expect(page.text).toContain(`sk_test_…${secret.slice(-4)}`);
      expect(page.html).not.toContain(secret);
      expect(page.html).not.toContain(project.keys.live.publishable);
      expect(page.text).toContain('Waiting for your first evaluation');
      expect(page.headers.get('Content-Security-Policy')).toContain("connect-src 'self'");
      expect(await arrivals()).toEqual({ evaluation: false, claim: false });
      await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home });
      expect(await arrivals()).toEqual({ evaluation: true, claim: false });
      const next = await open();
      expect(next.text).not.toContain('Waiting for your first evaluation');
      expect(next.text).toMatch(/Evaluations 1/);
      // The other world has none.
      expect((await ada.get(sectionOf(project, 'overview', 'live'))).text).toContain('no evaluations in live mode yet');
    });

    test('says that a page requested an evaluation that no server has consumed', async () => {
      await service.api('/v2/device/evaluate', {
        key: project.keys.test.publishable,
        body: { action: 'login', user: 'ann', fingerprint: laptop },
      });
      const { claim } = await arrivals();
      expect((await open()).text.includes('A page has requested one with the publishable key')).toBe(claim);
    });

    test.each(['express', 'fastify', 'hono', 'next', 'curl', 'unknown'])('has code for %s', async (framework) => {
      const { html } = await open(`?framework=${framework}`);
      expect(html).toContain(framework === 'unknown' ? 'curl https' : framework);
      expect(html).toContain('https://fraud.example');
    });
  });
});

describeDatabases('what an administrator can do with a user and an evaluation', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());
  const login = { action: 'login', user: 'ann', fingerprint: laptop, ip: home, email: 'ann@example.com' };

  test('a user is titled by the identifier, or by the contact if that is a UUID', async () => {
    const title = async (user: string, more: object = {}) => {
      await shop.customer.evaluate({ ...login, user, ...more });
      const { html } = await shop.shown(`/users/${await shop.userIdOf(user)}`);
      return /<h1>([^<]*)<\/h1>/.exec(html)?.[1];
    };
    expect(await title('titled')).toBe('titled');
    expect(await title('6f0b2c1e-8d47-4a39-9c52-1e7fb03d4a08')).toBe('a***@e******.com');
    const unknown = 'c5b1a3de-2f5c-4d53-8c1f-0a7f2b1f9e11';
    expect(await title(unknown, { email: undefined })).toBe(unknown);
  });

  test('a user can be exported and erased, which the audit log records', async () => {
    await shop.customer.evaluate({ ...login, user: 'gone', email: 'gone@example.com' });
    const id = await shop.userIdOf('gone');
    const exported = await shop.post(`/users/${id}/export`);
    expect(exported.headers.get('Content-Disposition')).toBe(`attachment; filename="user-${id}.json"`);
    expect(JSON.parse(exported.html).user).toMatchObject({ external_id: 'gone', email: 'gone@example.com' });
    expect((await shop.shown(`/users/${id}`)).text).toContain('Exported the data of the user by ines@example.com');
    const erased = await shop.post(`/users/${id}/erase`);
    expect([erased.status, erased.headers.get('Location')]).toEqual([303, `${shop.base}/users`]);
    expect((await shop.open(`/users/${id}`)).status).toBe(404);
    expect((await shop.customer.get('/v2/user/gone/devices')).status).toBe(404);
    const { text } = await shop.visitor.get('/dashboard/audit');
    expect(text).toMatch(/User erased.*User exported/);
    for (const action of ['export', 'erase']) expect((await shop.post(`/users/${id}/${action}`)).status).toBe(404);
  });

  test('an evaluation says what decided it, and what excused the others', async () => {
    const fingerprint = fingerprintOf({ seed: 'why' });
    await shop.customer.evaluate({ ...login, user: 'why', action: 'signup', fingerprint });
    const automated = fingerprintOf({ seed: 'why', integrity: ['webdriver'] });
    const { evaluation_id: allowed } = await shop.customer.evaluate({ ...login, user: 'why', fingerprint: automated });
    expect((await shop.shown(`/evaluations/${allowed}`)).text).toMatch(
      /Why Allowed: every reason with an effect was excused\. .*Automated browser none login: more than inspected or unreadable check: challenge Trust: a trusted device at a trusted address is never challenged/,
    );
    const { evaluation_id: challenged } = await shop.customer.evaluate({ ...login, user: 'why', fingerprint: phone });
    const { text } = await shop.shown(`/evaluations/${challenged}`);
    expect(text).toMatch(/Decided by New device\..*New device challenge login: challenge It decided the verdict/);
  });

  test('an evaluation can block its address, its device and its hardware', async () => {
    const { evaluation_id: id } = await shop.customer.evaluate({ ...login, user: 'bad', ip: '192.0.2.200' });
    const page = await shop.shown(`/evaluations/${id}`);
    expect(page.text).toMatch(/Block IP address….*192\.0\.2\.200.*Block device…/);
    expect(page.text).not.toContain('Block hardware');
    const blocked = await shop.post(`/evaluations/${id}/block-address`);
    expect(blocked.status).toBe(303);
    expect((await shop.shown(`/evaluations/${id}`)).text).toContain('192.0.2.200 is blocked.');
    expect(await shop.customer.evaluate({ ...login, user: 'other', ip: '192.0.2.200' })).toMatchObject({
      verdict: 'deny',
      reasons: expect.arrayContaining(['blocked']),
    });
    await shop.post(`/evaluations/${id}/block-address`);
    expect((await shop.shown(`/evaluations/${id}`)).text).toContain('192.0.2.200 is blocked already.');
    await shop.post(`/evaluations/${id}/block-hardware`);
    expect((await shop.shown(`/evaluations/${id}`)).text).toContain('The hardware of this evaluation is not known.');
    // With an address of version 6, its /64.
    const v6 = await shop.customer.evaluate({ ...login, user: 'v6', ip: '2001:db8:77::1' });
    await shop.post(`/evaluations/${v6.evaluation_id}/block-address`);
    expect(await shop.customer.evaluate({ ...login, user: 'v7', ip: '2001:db8:77::2' })).toMatchObject({
      verdict: 'deny',
    });
  });

  test('an evaluation blocks the devices of all users with the same hardware', async () => {
    const project = await shop.service.newProject({ hardware_id: true });
    const customer = customerOf(shop.service, project);
    const path = sectionOf(project, 'evaluations');
    await customer.evaluate({ ...login, user: 'one', action: 'signup' });
    const updated = fingerprintOf({ seed: 'laptop', changed: ['surface', 'fonts'] });
    const { evaluation_id: id } = await customer.evaluate({ ...login, user: 'two', fingerprint: updated });
    expect((await shop.visitor.get(`${path}/${id}`)).text).toMatch(/Block hardware….*same hardware: 2 now/);
    expect((await shop.visitor.submit('block-hardware')).status).toBe(303);
    expect((await shop.visitor.get(`${path}/${id}`)).text).toContain('2 devices were blocked.');
    for (const user of ['one', 'two']) {
      expect(await customer.evaluate({ ...login, user, fingerprint: user === 'one' ? laptop : updated })).toMatchObject(
        {
          verdict: 'deny',
          reasons: expect.arrayContaining(['blocked']),
        },
      );
    }
  });
});
