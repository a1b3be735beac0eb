import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('devices', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    customer = customerOf(service, project);
  });

  const attach = async (user: string, fingerprint = laptop) =>
    (await customer.ask('/v2/device/attach', { user, fingerprint, ip: home })).device_id;
  const trust = async (user: string, more: object = {}) => {
    const { challenge_id, device_id } = await customer.challenge(user, more);
    await customer.ask(`/v2/challenges/${challenge_id}/complete`);
    return device_id;
  };
  const login = (user: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint: laptop, ip: home, ...more });
  const deviceOf = async (user: string) => (await customer.get(`/v2/user/${user}/devices`)).body.data[0];
  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);

  describe('POST /v2/device/:id/detach', () => {
    test('removes the trust, emits one event and returns the device', async () => {
      const id = await trust('ann');
      const { body } = await customer.post(`/v2/device/${id}/detach`, { user: 'ann' });
      expect(body).toMatchObject({
        success: true,
        device: {
          _id: id,
          external_user: 'ann',
          status: 'detached',
          trusted: false,
          auto_detached: false,
          detached_at: expect.any(String),
        },
      });
      expect((await customer.post(`/v2/device/${id}/detach`)).body).toEqual(body);
      expect(await eventsOf('device.detached')).toEqual([
        { type: 'device.detached', data: { device: body.device, cause: 'detach' } },
      ]);
      expect(await login('ann')).toMatchObject({ verdict: 'challenge', reasons: ['new_device'] });
    });

    test('does not restore trust after another challenge was skipped', async () => {
      const id = await trust('ann');
      await customer.ask(`/v2/device/${id}/detach`);
      const { challenge_id } = await login('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/skip`);
      expect(await login('ann')).toMatchObject({ verdict: 'challenge', reasons: ['new_device'] });
    });

    test("does not accept the service's ID of the user, which may be another user's own identifier", async () => {
      const id = await attach('ann');
      const { user } = await deviceOf('ann');
      expect((await customer.post(`/v2/device/${id}/detach`, { user })).status).toBe(404);
      expect((await customer.post(`/v2/device/${id}/detach`, { user: 'ann' })).status).toBe(200);
    });

    test('404: a device of another user, project or world, or an unknown one', async () => {
      const id = await attach('ann');
      await attach('bob', phone);
      expect((await customer.post(`/v2/device/${id}/detach`, { user: 'bob' })).body.code).toBe('not_found');
      const stranger = customerOf(service, await service.newProject());
      expect((await stranger.post(`/v2/device/${id}/detach`)).status).toBe(404);
      expect((await customerOf(service, project, 'test').post(`/v2/device/${id}/detach`)).status).toBe(404);
      expect((await customer.post('/v2/device/nonsense/detach')).status).toBe(404);
      expect(await deviceOf('ann')).toMatchObject({ status: 'attached' });
    });
  });

  describe('POST /v2/device/:id/metadata', () => {
    test('merges key by key, and null removes a key', async () => {
      const id = await attach('ann');
      const first = await customer.ask(`/v2/device/${id}/metadata`, { metadata: { a: 1, b: { c: 2 } } });
      expect(first.metadata).toEqual({ a: 1, b: { c: 2 } });
      service.clock.advance(1000);
      const second = await customer.ask(`/v2/device/${id}/metadata`, { metadata: { a: null, b: { d: 3 }, e: 'é' } });
      expect(second.metadata).toEqual({ b: { d: 3 }, e: 'é' });
      expect(second.__v).toBe(first.__v + 1);
      expect(Date.parse(second.updatedAt)).toBeGreaterThan(Date.parse(first.updatedAt));
      expect(await deviceOf('ann')).toEqual(second);
    });

    test('400: more than 16 KiB in total, even if each part is smaller', async () => {
      const id = await attach('ann');
      await customer.ask(`/v2/device/${id}/metadata`, { metadata: { a: 'x'.repeat(9000) } });
      const { status, body } = await customer.post(`/v2/device/${id}/metadata`, { metadata: { b: 'x'.repeat(9000) } });
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', 'metadata']);
      expect((await customer.post(`/v2/device/${id}/metadata`, { metadata: { a: 'x'.repeat(17_000) } })).status).toBe(
        400,
      );
      expect((await deviceOf('ann')).metadata).toEqual({ a: 'x'.repeat(9000) });
    });
  });

  describe('POST /v2/device/:id/update', () => {
    test('blocks: every evaluation from the device is denied, and its trust is removed', async () => {
      const id = await trust('ann');
      const blocked = await customer.ask(`/v2/device/${id}/update`, { status: 'blocked' });
      expect(blocked).toMatchObject({ status: 'blocked', trusted: false });
      expect(await login('ann')).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
    });

    test('lifts a block without restoring trust', async () => {
      const id = await trust('ann');
      await customer.ask(`/v2/device/${id}/update`, { status: 'blocked' });
      const attached = await customer.ask(`/v2/device/${id}/update`, { status: 'attached' });
      expect(attached).toMatchObject({ status: 'attached', trusted: false });
      expect((await login('ann')).verdict).not.toBe('deny');
    });

    test('attaches a pending device', async () => {
      const { device_id } = await customer.challenge('ann');
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'attached' });
      expect((await login('ann')).reasons).not.toContain('new_device');
    });

    test('trusts permanently, at every IP address', async () => {
      const id = await attach('ann');
      const device = await customer.ask(`/v2/device/${id}/update`, { whitelisted: true });
      expect(device).toMatchObject({ whitelisted: true, trusted: true });
      expect((await login('ann', { ip: elsewhere })).verdict).toBe('allow');
      await customer.ask(`/v2/device/${id}/update`, { whitelisted: false });
      expect((await login('ann', { ip: '203.0.113.77' })).verdict).toBe('challenge');
    });

    test('ignores an empty request', async () => {
      const id = await attach('ann');
      const before = await deviceOf('ann');
      expect(await customer.ask(`/v2/device/${id}/update`, {})).toEqual(before);
    });

    test.each([{ status: 'detached' }, { whitelisted: 'yes' }, { status: 'blocked', whitelisted: true }])(
      '400: %j',
      async (request) => {
        const id = await attach('ann');
        expect((await customer.post(`/v2/device/${id}/update`, request)).body.code).toBe('invalid_request');
      },
    );
  });

  describe('GET /v2/user/:id/devices', () => {
    test('returns devices with the fields of docs/api.md', async () => {
      const id = await attach('ann');
      const { body } = await customer.get('/v2/user/ann/devices');
      const [device] = body.data;
      expect(body).toEqual({ data: [device], page: 1, limit: 10, total: 1 });
      expect(device).toEqual({
        _id: id,
        user: expect.any(String),
        external_user: 'ann',
        project: project.project.id,
        info: {
          kind: 'desktop',
          os: 'Linux',
          browser: 'Chromium',
          browser_version: 156,
          label: 'Chromium 156 on Linux',
        },
        status: 'attached',
        metadata: {},
        createdAt: expect.any(String),
        updatedAt: device.createdAt,
        __v: 0,
        auto_detached: false,
        fingerprint_id: expect.any(String),
        trusted: false,
        proven: false,
        whitelisted: false,
        dev: false,
        last_seen_at: device.createdAt,
        last_ip: home,
      });
    });

    test('returns pages, newest first, optionally of one status', async () => {
      const ids = [];
      for (const fingerprint of [laptop, phone, tablet]) {
        service.clock.advance(1000);
        ids.unshift(await attach('ann', fingerprint));
      }
      await customer.ask(`/v2/device/${ids[1]}/detach`);
      const list = async (query: string) => {
        const { data, total } = (await customer.get(`/v2/user/ann/devices?${query}`)).body;
        return [data.map(({ _id }: { _id: string }) => _id), total];
      };
      expect(await list('limit=2')).toEqual([ids.slice(0, 2), 3]);
      expect(await list('limit=2&page=2')).toEqual([ids.slice(2), 3]);
      expect(await list('status=attached')).toEqual([[ids[0], ids[2]], 2]);
      expect(await list('status=detached')).toEqual([[ids[1]], 1]);
      expect(await list('status=blocked')).toEqual([[], 0]);
      expect((await customer.get('/v2/user/ann/devices?status=lost')).status).toBe(400);
    });

    test("accepts the service's own ID, but prefers the customer's", async () => {
      await attach('ann');
      const { user } = await deviceOf('ann');
      expect((await customer.get(`/v2/user/${user}/devices`)).body.total).toBe(1);
      // In a body, it is the identifier of another user.
      await attach(user, phone);
      await attach(user, tablet);
      expect((await customer.get(`/v2/user/${user}/devices`)).body.total).toBe(2);
      expect((await customer.get('/v2/user/ann/devices')).body.total).toBe(1);
    });

    test('404: an unknown user', async () => {
      await attach('ann');
      expect((await customer.get('/v2/user/bob/devices')).body.code).toBe('not_found');
      expect((await customerOf(service, project, 'test').get('/v2/user/ann/devices')).status).toBe(404);
    });
  });
});
