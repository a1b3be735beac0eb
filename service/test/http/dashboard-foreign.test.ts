import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerOf, home } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { visitorOf } from '../support/visitor.js';

describeDatabases('access control and escaping on the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  test('responds with 404 to unknown IDs and IDs of other worlds, and changes nothing', async () => {
    const other = await shop.service.newProject();
    const stranger = customerOf(shop.service, other);
    const theirs = await stranger.challenge('zoe');
    const test = customerOf(shop.service, shop.project, 'test');
    const tests = await test.challenge('zoe');
    for (const { device_id, challenge_id, evaluation_id, fingerprint_id } of [theirs, tests]) {
      for (const path of [`/devices/${device_id}`, `/challenges/${challenge_id}`, `/evaluations/${evaluation_id}`]) {
        expect((await shop.open(path)).status, path).toBe(404);
      }
      const sharing = await shop.shown(`/devices?fingerprint_id=${fingerprint_id}`);
      expect(sharing.text).toContain('No devices found.');
      expect((await shop.post(`/devices/${device_id}/block`)).status).toBe(404);
      expect((await shop.post(`/evaluations/${evaluation_id}/feedback`, { label: 'fraud' })).status).toBe(404);
      expect((await shop.post('/users/search', { q: device_id })).text).toContain('No users found.');
    }
    expect((await stranger.get('/v2/user/zoe/devices')).body.data[0].status).toBe('pending');
    const id = (await stranger.ask('/v2/user/zoe/update'))._id;
    expect((await shop.open(`/users/${id}`)).status).toBe(404);
    expect((await shop.post(`/users/${id}/suspend`)).status).toBe(404);
    for (const path of ['/users/x', '/devices/x', '/challenges/x', '/evaluations/x']) {
      expect((await shop.open(path)).status, path).toBe(404);
    }
  });

  test('rejects forms without a CSRF token, and shows nothing without a session', async () => {
    const { device_id } = await shop.attach('cora');
    for (const mark of ['', 'AAAA']) {
      expect((await shop.post(`/devices/${device_id}/block`, { csrf: mark })).status).toBe(403);
      expect((await shop.post('/users/search', { q: 'cora', csrf: mark })).status).toBe(403);
    }
    expect((await shop.customer.get('/v2/user/cora/devices')).body.data[0].status).toBe('attached');
    const stranger = await visitorOf(shop.app).get(`${shop.base}/devices/${device_id}`);
    expect(stranger.headers.get('Location')).toContain('/dashboard/sign-in');
  });

  test('escapes data of customers and visitors', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;
    const request = {
      action: 'login',
      user: evil,
      fingerprint: `${evil} opaque`,
      last_fingerprint: evil,
      version: evil.slice(0, 64),
      ip: home,
      email: "o'<b>@example.com",
      user_agent: evil,
      metadata: { [evil]: evil, nested: { [evil]: [evil] } },
    };
    const { evaluation_id, device_id, challenge_id } = await shop.customer.evaluate(request);
    await shop.customer.ask(`/v2/device/${device_id}/metadata`, { metadata: { [evil]: evil } });
    const name = encodeURIComponent(evil);
    const { _id } = await shop.customer.ask(`/v2/user/${name}/update`, { metadata: { [evil]: evil } });
    await shop.customer.ask(`/v2/evaluations/${evaluation_id}/feedback`, {
      label: 'fraud',
      note: `</textarea>${evil}`,
    });
    const pages = [
      await shop.shown('/users'),
      await shop.post('/users/search', { q: evil.slice(0, 10) }),
      await shop.post('/devices/search', { q: evil }),
      await shop.shown(`/users/${_id}`),
      await shop.shown('/devices?status=pending'),
      await shop.shown(`/devices/${device_id}`),
      await shop.shown(`/challenges/${challenge_id}`),
      await shop.shown('/challenges'),
      await shop.shown('/evaluations'),
      await shop.open(`/evaluations?action=${name}&rule=${name}&from=${name}`),
      await shop.shown(`/evaluations/${evaluation_id}`),
    ];
    for (const { html } of pages) {
      expect(html).not.toMatch(/<script>|<img|<b>/);
    }
    expect(pages.filter(({ text }) => text.includes('alert(1)')).length).toBeGreaterThan(8);
  });
});
