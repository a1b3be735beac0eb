import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { linkTo, openPageShop } from '../support/challenge-page.js';
import { type Customer, customerOf, home, laptop, origin, phone } from '../support/customer.js';
import { openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { visitorOf } from '../support/visitor.js';

describeDatabases("a factor of the customer's own", (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  const start = async (settings: Record<string, unknown> = {}) => {
    project = await service.newProject(settings);
    customer = customerOf(service, project);
  };
  beforeEach(() => start());

  const complete = (id: string, body?: object) => customer.post(`/v2/challenges/${id}/complete`, body);
  const read = async (id: string) => (await customer.get(`/v2/challenges/${id}`)).body;
  const send = (id: string) => customer.post(`/v2/challenges/${id}/send`);
  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);

  describe('`method` of complete', () => {
    test('says how the user was verified: in the challenge, its event and the export', async () => {
      const { challenge_id: id } = await customer.challenge('ann');
      expect(await read(id)).toMatchObject({ status: 'pending', verified_by: null });
      expect(await complete(id, { method: 'passkey' })).toMatchObject({ status: 200, body: { success: true } });
      const verified = { status: 'completed', verified_by: 'passkey', verified_at: expect.any(String) };
      expect(await read(id)).toMatchObject(verified);
      expect((await eventsOf('challenge.completed'))[0]?.data).toMatchObject({ challenge: verified });
      const { challenges } = (await customer.get('/v2/user/ann/export')).body;
      expect(challenges).toMatchObject([{ _id: id, verified_by: 'passkey', methods: [] }]);
      expect(await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home })).toMatchObject({
        verdict: 'allow',
      });
    });

    test('needs no code, also after one was sent', async () => {
      const { id, code } = await customer.sendCode('ann');
      expect((await complete(id)).body.code).toBe('challenge_not_verified');
      expect((await complete(id, { method: 'totp' })).status).toBe(200);
      expect(await read(id)).toMatchObject({ verified_by: 'totp' });
      expect((await customer.post(`/v2/challenges/${id}/verify`, { code })).status).toBe(200);
      expect(await read(id)).toMatchObject({ verified_by: 'totp' });
    });

    test('is the channel after a code, and null if nobody said', async () => {
      const { id, code } = await customer.sendCode('ann');
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      expect(await read(id)).toMatchObject({ status: 'pending', verified_by: 'email' });
      await complete(id);
      expect(await read(id)).toMatchObject({ status: 'completed', verified_by: 'email' });
      const { challenge_id } = await customer.challenge('bob');
      await complete(challenge_id);
      expect(await read(challenge_id)).toMatchObject({ status: 'completed', verified_by: null });
    });

    test('does not change what is completed, and opens nothing that is closed', async () => {
      const { challenge_id: id } = await customer.challenge('ann');
      await complete(id, { method: 'passkey' });
      const before = await read(id);
      expect((await complete(id, { method: 'sso' })).status).toBe(200);
      expect(await read(id)).toEqual(before);
      expect(await eventsOf('challenge.completed')).toHaveLength(1);
      const skipped = await customer.challenge('bob');
      await customer.ask(`/v2/challenges/${skipped.challenge_id}/skip`);
      expect((await complete(skipped.challenge_id, { method: 'passkey' })).body.code).toBe('challenge_closed');
    });

    test.each(['a'.repeat(65), 'pass key', 'pässkey', 'a\nb', 7, ['passkey']])('400: %j', async (method) => {
      const { challenge_id: id } = await customer.challenge('ann');
      expect(await complete(id, { method })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(await read(id)).toMatchObject({ status: 'pending' });
    });

    test('is on the page of the dashboard', async () => {
      const shop = await openDashboardShop(kind);
      onTestFinished(() => shop.close());
      const { challenge_id: id } = await shop.customer.challenge('ann', { methods: ['passkey', 'totp'] });
      await shop.customer.ask(`/v2/challenges/${id}/complete`, { method: 'passkey' });
      const { html } = await shop.shown(`/challenges/${id}`);
      expect(html).toContain('<dt>Verified by</dt><dd>passkey</dd>');
      expect(html).toContain('passkey, totp');
    });
  });

  describe('`methods` of evaluate', () => {
    test('are recorded, and change nothing by default', async () => {
      const { challenge_id: id, evaluation_id } = await customer.challenge('ann', { methods: ['passkey'] });
      expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body).toMatchObject({ methods: ['passkey'] });
      expect(await read(id)).toMatchObject({ channels: ['email'] });
      expect((await send(id)).status).toBe(200);
    });

    test.each([[['']], [['a b']], [Array(17).fill('totp')], ['passkey'], [[1]]])('400: %j', async (methods) => {
      const request = { action: 'login', user: 'ann', fingerprint: laptop, methods };
      expect(await customer.post('/v2/device/evaluate', request)).toMatchObject({ status: 400 });
    });
  });

  describe('with `prefer_own_factor`', () => {
    const refused = { status: 422, body: { code: 'own_factor_required' } };
    beforeEach(() => start({ prefer_own_factor: true, allowed_origins: [origin] }));

    test('no code is sent to a user who has a factor', async () => {
      const { challenge_id: id } = await customer.challenge('ann', { methods: ['passkey'] });
      expect(await read(id)).toMatchObject({ reasons: ['new_device', 'new_ip'], channels: [] });
      expect(await send(id)).toMatchObject(refused);
      expect(await customer.post(`/v2/challenges/${id}/send`, { channel: 'email' })).toMatchObject(refused);
      expect(service.outbox.filter(({ to }) => to === 'ann@example.com')).toEqual([]);
      expect((await customer.post(`/v2/challenges/${id}/verify`, { code: '000000' })).body.code).toBe('code_not_sent');
      expect((await complete(id, { method: 'passkey' })).status).toBe(200);
    });

    test('a further reason does not bring the code back', async () => {
      const driven = laptop.replace(/\.AAAA$/, '.AAAB');
      const { challenge_id: id } = await customer.challenge('ann', { methods: ['passkey'], fingerprint: driven });
      expect((await read(id)).reasons).toContain('automation');
      expect(await send(id)).toMatchObject(refused);
    });

    test('a code is sent to a user who has none', async () => {
      for (const [user, methods] of [
        ['ann', undefined],
        ['bob', []],
      ] as const) {
        const { challenge_id: id } = await customer.challenge(user, { methods });
        expect(await read(id)).toMatchObject({ channels: ['email'] });
        expect((await send(id)).status).toBe(200);
      }
    });

    test('the newest word of the server counts for an open challenge', async () => {
      const { challenge_id: id } = await customer.challenge('ann');
      expect((await customer.challenge('ann', { methods: ['passkey'] })).challenge_id).toBe(id);
      expect(await send(id)).toMatchObject(refused);
      // A request that says nothing takes nothing back.
      await customer.challenge('ann');
      expect(await send(id)).toMatchObject(refused);
      await customer.challenge('ann', { methods: [] });
      expect((await send(id)).status).toBe(200);
    });

    test('no device can be kicked before the factor was used', async () => {
      const { device_id } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone });
      const { challenge_id: id } = await customer.challenge('ann', { methods: ['passkey'] });
      const kick = () => customer.post(`/v2/challenges/${id}/kick`, { device: device_id });
      expect(await kick()).toMatchObject(refused);
      await complete(id, { method: 'passkey' });
      expect((await kick()).status).toBe(200);
    });

    test('a page cannot choose the code: without a word of the server, none is sent', async () => {
      await customer.ask('/v2/user/ann/update', { email: 'ann@example.com' });
      const { challenge_id: id, evaluation_id } = await customer.claim('ann', { methods: [] });
      expect(await read(id)).toMatchObject({ channels: [] });
      expect(await send(id)).toMatchObject(refused);
      await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ann', action: 'login', methods: [] });
      expect(await read(id)).toMatchObject({ channels: ['email'] });
      expect((await send(id)).status).toBe(200);
    });

    test("the consumption of a page's evaluation names the factors", async () => {
      const { evaluation_id } = await customer.claim('ann');
      const { challenge_id: id, ...record } = await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, {
        user: 'ann',
        action: 'login',
        email: 'ann@example.com',
        methods: ['totp'],
      });
      expect(record).toMatchObject({ methods: ['totp'] });
      expect(await send(id)).toMatchObject(refused);
    });

    test('the challenge page says that no code is sent, also to a stranger', async () => {
      const shop = await openPageShop(service, { prefer_own_factor: true });
      const { id, link } = await shop.challenged('ann', { methods: ['passkey'] });
      const claimed = await shop.customer.claim('bob');
      const sent = service.outbox.length;
      for (const [challenge, address] of [
        [id, link],
        [claimed.challenge_id, linkTo(claimed.challenge_url)],
      ]) {
        const visitor = visitorOf(service);
        const page = await visitor.open(address);
        expect(page.text).toContain('We do not send a code for this verification');
        expect(page.text).not.toContain('/send');
        await visitor.post(`/challenge/${challenge}/send`);
      }
      expect(service.outbox).toHaveLength(sent);
    });
  });
});
