import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, home, laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('legacy endpoints', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let tester: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    customer = customerOf(service, project);
    tester = customerOf(service, project, 'test');
  });

  const attach = async (of: Customer, fingerprint = laptop, user = 'ann') =>
    (await of.ask('/v2/device/attach', { user, fingerprint, ip: home })).device_id;

  describe('GET /v2/proj/user/:id/devices', () => {
    const list = async (of: Customer, query = '', user = 'ann') =>
      (await of.get(`/v2/proj/user/${user}/devices${query}`)).body.map(({ _id }: { _id: string }) => _id);

    test('omits whitelisted devices unless requested', async () => {
      const plain = await attach(customer);
      service.clock.advance(1000);
      const whitelisted = await attach(customer, phone);
      await customer.ask(`/v2/device/${whitelisted}/update`, { whitelisted: true });
      expect(await list(customer)).toEqual([plain]);
      expect(await list(customer, '?whitelisted=true')).toEqual([whitelisted, plain]);
    });

    test('returns those of the test world with dev, for either key', async () => {
      const live = await attach(customer);
      const test = await attach(tester, phone);
      expect(await list(customer)).toEqual([live]);
      expect(await list(customer, '?dev=true')).toEqual([test]);
      expect(await list(tester)).toEqual([test]);
      expect(await list(tester, '?dev=true')).toEqual([test]);
      const { user } = (await customer.get('/v2/user/ann/devices')).body.data[0];
      expect(await list(customer, '?dev=true', user)).toEqual([test]);
      const [device] = (await customer.get('/v2/proj/user/ann/devices?dev=true')).body;
      expect(device.dev).toBe(true);
    });

    test('does not return users of the live world', async () => {
      await attach(customer);
      expect(await list(customer, '?dev=true')).toEqual([]);
    });

    test('404: an unknown user', async () => {
      expect((await customer.get('/v2/proj/user/ann/devices')).status).toBe(404);
      expect((await customer.get('/v2/proj/user/ann/devices?dev=true')).status).toBe(404);
    });
  });

  describe('POST /v2/proj/identification/:id/complete', () => {
    test('completes the challenge with this ID', async () => {
      const { challenge_id } = await customer.challenge('ann');
      expect(await customer.ask(`/v2/proj/identification/${challenge_id}/complete`)).toEqual({ success: true });
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body.status).toBe('completed');
      const types = (await service.events(project)).map(({ type }) => type);
      expect(types).toContain('challenge.completed');
    });
  });

  describe('POST /v2/proj/device/:device/metadata', () => {
    test('merges metadata as the current endpoint does', async () => {
      const id = await attach(customer);
      const device = await customer.ask(`/v2/proj/device/${id}/metadata`, { metadata: { a: 1 } });
      expect(device).toMatchObject({ _id: id, metadata: { a: 1 } });
    });
  });

  describe('GET /v2/proj/access-history', () => {
    const history = async (query = '') => (await customer.get(`/v2/proj/access-history${query}`)).body;
    const login = (user: string, fingerprint = laptop) =>
      customer.evaluate({ action: 'login', user, fingerprint, ip: home });

    test('returns accesses with their verdicts, newest first', async () => {
      const first = await login('ann');
      service.clock.advance(1000);
      const second = await login('bob', phone);
      const { data, ...page } = await history();
      expect(page).toEqual({ page: 1, limit: 10, total: 2 });
      expect(data.map(({ _id }: { _id: string }) => _id)).toEqual([second.evaluation_id, first.evaluation_id]);
      const { user } = (await customer.get('/v2/user/ann/devices')).body.data[0];
      expect(data[1]).toEqual({
        _id: first.evaluation_id,
        user,
        external_user: 'ann',
        device: first.device_id,
        action: 'login',
        verdict: 'challenge',
        reasons: first.reasons,
        ip: home,
        createdAt: expect.any(String),
      });
    });

    test('is filtered by user, device and time', async () => {
      const ann = await login('ann');
      service.clock.advance(1000);
      const bob = await login('bob', phone);
      const idsOf = async (query: string) => (await history(query)).data.map(({ _id }: { _id: string }) => _id);
      expect(await idsOf('?user=ann')).toEqual([ann.evaluation_id]);
      expect(await idsOf(`?device=${bob.device_id}`)).toEqual([bob.evaluation_id]);
      expect(await idsOf(`?device=${bob.device_id}&user=ann`)).toEqual([]);
      expect(await idsOf('?user=nobody')).toEqual([]);
      // `_id` is accepted in paths only: a user may be named as another user's `_id`.
      const { user: id } = (await history('?user=ann')).data[0];
      expect(id).toBeDefined();
      expect(await idsOf(`?user=${id}`)).toEqual([]);
      const { createdAt } = (await history('?user=ann')).data[0];
      expect(await idsOf(`?end_date=${createdAt}`)).toEqual([ann.evaluation_id]);
      expect((await history('?limit=1&page=2')).data).toMatchObject([{ _id: ann.evaluation_id }]);
    });

    test('returns the external ID of users who were rejected before they were stored', async () => {
      project = await service.newProject();
      await service.list(project, ['block', 'address', '198.51.100.0/24']);
      customer = customerOf(service, project);
      const { evaluation_id } = await login('eve');
      const [access] = (await history('?user=eve')).data;
      expect(access).toMatchObject({ _id: evaluation_id, external_user: 'eve', verdict: 'deny' });
      expect(access).not.toHaveProperty('user');
      expect(access).not.toHaveProperty('device');
    });
  });
});
