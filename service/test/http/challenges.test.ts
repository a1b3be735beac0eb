import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describeDatabases('challenges', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);

  describe('GET /v2/challenges/:id', () => {
    test('returns the challenge with masked contacts', async () => {
      const { challenge_id, device_id } = await customer.challenge('ann', { phone: '+491701234567' });
      const { body } = await customer.get(`/v2/challenges/${challenge_id}`);
      expect(body).toEqual({
        _id: challenge_id,
        user: {
          _id: expect.stringMatching(uuid),
          external_id: 'ann',
          email: 'a***@e******.com',
          phone: '+**********67',
        },
        limit: { is_exceeded: false, overall: 0, mobile: 0, tablet: 0, desktop: 0 },
        status: 'pending',
        reasons: ['new_device', 'new_ip'],
        channels: ['text', 'email'],
        action: 'login',
        device_id,
        ip: home,
        verified_by: null,
        createdAt: expect.stringMatching(timestamp),
        expires_at: new Date(Date.parse(body.createdAt) + dayMs).toISOString(),
      });
    });

    test('counts the attached devices of each kind, and says if the limit is exceeded', async () => {
      project = await service.newProject({ device_limit: { overall: 5, mobile: 1 } });
      customer = customerOf(service, project);
      for (const fingerprint of [laptop, phone, tablet])
        await customer.ask('/v2/device/attach', { user: 'ann', fingerprint });
      const otherPhone = phone.replace('maw18', 'mcw18');
      const { challenge_id } = await customer.challenge('ann', { fingerprint: otherPhone });
      const { body } = await customer.get(`/v2/challenges/${challenge_id}`);
      expect(body.limit).toEqual({ is_exceeded: true, overall: 3, mobile: 1, tablet: 1, desktop: 1 });
      expect(body.reasons).toContain('limit_exceeded');
    });

    test('lists no channels for a user without contacts', async () => {
      const { challenge_id } = await customer.challenge('ann', { email: undefined });
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body.channels).toEqual([]);
    });

    test('is expired on time, even before the job has run', async () => {
      const { challenge_id } = await customer.challenge('ann');
      service.clock.advance(dayMs);
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body.status).toBe('expired');
      expect((await customer.get('/v2/challenges')).body.data[0].status).toBe('expired');
      const next = await customer.challenge('ann');
      expect(next.challenge_id).not.toBe(challenge_id);
    });

    test.each(['0190a0b0-0000-7000-8000-000000000000', 'nonsense', '1'])('404: %s', async (id) => {
      const { status, body } = await customer.get(`/v2/challenges/${id}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
    });

    test('404: a challenge of another project or world', async () => {
      const { challenge_id } = await customer.challenge('ann');
      const stranger = customerOf(service, await service.newProject());
      const tester = customerOf(service, project, 'test');
      expect((await stranger.get(`/v2/challenges/${challenge_id}`)).status).toBe(404);
      expect((await tester.get(`/v2/challenges/${challenge_id}`)).status).toBe(404);
    });

    test('403: with a publishable key', async () => {
      const { challenge_id } = await customer.challenge('ann');
      const { status, body } = await service.api(`/v2/challenges/${challenge_id}`, {
        key: project.keys.live.publishable,
        headers: { Origin: origin },
      });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    });
  });

  describe('GET /v2/challenges', () => {
    const raise = async (count: number) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        service.clock.advance(1000);
        ids.unshift((await customer.challenge(`user-${index}`)).challenge_id);
      }
      return ids;
    };
    const idsOf = ({ data }: { data: { _id: string }[] }) => data.map(({ _id }) => _id);

    test('returns pages, newest first, and the total', async () => {
      const ids = await raise(12);
      const first = (await customer.get('/v2/challenges')).body;
      expect(first).toMatchObject({ page: 1, limit: 10, total: 12 });
      expect(idsOf(first)).toEqual(ids.slice(0, 10));
      const second = (await customer.get('/v2/challenges?page=2')).body;
      expect([second.page, idsOf(second)]).toEqual([2, ids.slice(10)]);
      const beyond = (await customer.get('/v2/challenges?page=4&limit=5')).body;
      expect(beyond).toEqual({ data: [], page: 4, limit: 5, total: 12 });
    });

    test('returns the short form', async () => {
      const { challenge_id } = await customer.challenge('ann');
      const [summary] = (await customer.get('/v2/challenges')).body.data;
      expect(summary).toEqual({
        _id: challenge_id,
        user: { _id: expect.stringMatching(uuid), external_id: 'ann', email: 'a***@e******.com' },
        status: 'pending',
        reasons: ['new_device', 'new_ip'],
        createdAt: expect.stringMatching(timestamp),
      });
    });

    test('filters by time, including both ends', async () => {
      const [newest, middle, oldest] = await raise(3);
      const { createdAt } = (await customer.get(`/v2/challenges/${middle}`)).body;
      const listed = async (query: string) => idsOf((await customer.get(`/v2/challenges?${query}`)).body);
      expect(await listed(`start_date=${createdAt}`)).toEqual([newest, middle]);
      expect(await listed(`end_date=${createdAt}`)).toEqual([middle, oldest]);
      expect(await listed(`start_date=${createdAt}&end_date=${createdAt}`)).toEqual([middle]);
      const today = createdAt.slice(0, 10);
      expect(await listed(`end_date=${today}`)).toContain(middle);
      expect(await listed('end_date=2020-01-01')).toEqual([]);
    });

    test('returns nothing of other projects or the other world', async () => {
      await customer.challenge('ann');
      const tester = customerOf(service, project, 'test');
      expect((await tester.get('/v2/challenges')).body.total).toBe(0);
      const stranger = customerOf(service, await service.newProject());
      expect((await stranger.get('/v2/challenges')).body.total).toBe(0);
    });

    test.each(['limit=101', 'limit=0', 'limit=ten', 'page=0', 'page=x', 'start_date=soon'])(
      '400: %s',
      async (query) => {
        const { status, body } = await customer.get(`/v2/challenges?${query}`);
        expect([status, body.code]).toEqual([400, 'invalid_request']);
      },
    );
  });

  describe('POST /v2/challenges/:id/open', () => {
    test('returns the challenge and emits an event the first time', async () => {
      const { challenge_id } = await customer.challenge('ann');
      const opened = await customer.ask(`/v2/challenges/${challenge_id}/open`);
      expect(opened).toEqual((await customer.get(`/v2/challenges/${challenge_id}`)).body);
      await customer.ask(`/v2/challenges/${challenge_id}/open`);
      expect(await eventsOf('challenge.viewed')).toEqual([{ type: 'challenge.viewed', data: { challenge: opened } }]);
    });
  });

  describe('POST /v2/challenges/:id/skip', () => {
    test('closes it, once, and leaves the device pending', async () => {
      const { challenge_id, device_id } = await customer.challenge('ann');
      expect(await customer.ask(`/v2/challenges/${challenge_id}/skip`)).toEqual({ success: true });
      expect(await customer.ask(`/v2/challenges/${challenge_id}/skip`)).toEqual({ success: true });
      const challenge = (await customer.get(`/v2/challenges/${challenge_id}`)).body;
      expect(challenge.status).toBe('skipped');
      expect(await eventsOf('challenge.skipped')).toEqual([{ type: 'challenge.skipped', data: { challenge } }]);
      const devices = (await customer.get('/v2/user/ann/devices')).body.data;
      expect(devices).toMatchObject([{ _id: device_id, status: 'pending', trusted: false }]);
    });

    test('409: completed, or expired', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      expect((await customer.post(`/v2/challenges/${challenge_id}/skip`)).body.code).toBe('challenge_closed');
      const { challenge_id: other } = await customer.challenge('bob', { ip: elsewhere });
      service.clock.advance(dayMs);
      expect((await customer.post(`/v2/challenges/${other}/skip`)).body.code).toBe('challenge_closed');
    });
  });

  describe('GET /v2/challenges/:id/devices', () => {
    test('lists the devices that count, with their newest fingerprints', async () => {
      const { device_id: first } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop });
      const { challenge_id, device_id: challenged } = await customer.challenge('ann', { fingerprint: phone });
      const { data } = (await customer.get(`/v2/challenges/${challenge_id}/devices`)).body;
      expect(data).toMatchObject([{ _id: first, status: 'attached' }]);
      const hash = async (device: string) =>
        (await customer.get(`/v2/challenges/${challenge_id}/devices/${device}/hash`)).body;
      expect(await hash(first)).toEqual({ device_id: first, hash: laptop });
      expect(await hash(challenged)).toEqual({ device_id: challenged, hash: phone });
    });

    test("404: the hash of another user's device", async () => {
      const { device_id } = await customer.ask('/v2/device/attach', { user: 'bob', fingerprint: laptop });
      const { challenge_id } = await customer.challenge('ann', { fingerprint: phone });
      const { status } = await customer.get(`/v2/challenges/${challenge_id}/devices/${device_id}/hash`);
      expect(status).toBe(404);
    });
  });

  test('emits an event when a challenge is created, and none when it is reused', async () => {
    const { challenge_id } = await customer.challenge('ann');
    expect((await customer.challenge('ann')).challenge_id).toBe(challenge_id);
    const challenge = (await customer.get(`/v2/challenges/${challenge_id}`)).body;
    expect(await eventsOf('challenge.initiated')).toEqual([{ type: 'challenge.initiated', data: { challenge } }]);
  });
});
