import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { callsAboutUsers } from '../support/users.js';

describeDatabases('users', (kind) => {
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

  const { update, attach, login } = callsAboutUsers(() => customer);

  describe('POST /v2/user/:id/update', () => {
    test('changes the given fields and returns the user with masked contacts', async () => {
      await attach('ann', { email: 'ann@example.com' });
      service.clock.advance(1000);
      const { body } = await update({ phone: '+49 170 1234567', metadata: { plan: 'family' } });
      expect(body).toEqual({
        _id: expect.any(String),
        external_id: 'ann',
        email: 'a***@e******.com',
        phone: '+**********67',
        metadata: { plan: 'family' },
        status: 'active',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(body.createdAt));
      expect((await update({})).body).toMatchObject({ email: body.email, phone: body.phone, metadata: body.metadata });
    });

    test('sends codes to the new contact', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await update({ email: 'Ann.New@Example.com' });
      await customer.ask(`/v2/challenges/${challenge_id}/send`);
      expect(service.outbox.map(({ to }) => to)).toEqual(['Ann.New@Example.com']);
    });

    test('clears fields by null', async () => {
      await attach('ann', { email: 'ann@example.com', phone: '+491701234567' });
      await update({ metadata: { a: 1 } });
      const { body } = await update({ email: null, phone: null, metadata: null });
      expect(Object.keys(body)).not.toContain('email');
      expect(Object.keys(body)).not.toContain('phone');
      expect(body.metadata).toEqual({});
      const { challenge_id } = await customer.challenge('ann', { fingerprint: phone, email: undefined });
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body.channels).toEqual([]);
    });

    test('changes nothing if a contact is invalid', async () => {
      await attach('ann', { email: 'ann@example.com', phone: '+491701234567' });
      const { status, body } = await update({ email: 'nobody', phone: '12', metadata: { a: 1 } });
      expect([status, body]).toMatchObject([
        400,
        {
          code: 'invalid_request',
          errors: [{ path: 'email' }, { path: 'phone', message: expect.stringContaining('international format') }],
        },
      ]);
      expect((await update({ email: 'new@example.com', phone: '12' })).status).toBe(400);
      const { user } = (await customer.get('/v2/user/ann/export')).body;
      expect(user).toMatchObject({ email: 'ann@example.com', phone: '+491701234567', metadata: {} });
      expect((await update({ email: 'nobody' }, 'new')).status).toBe(400);
      expect((await customer.get('/v2/user/new/export')).status).toBe(404);
    });

    test('merges metadata key by key', async () => {
      await attach();
      await update({ metadata: { a: 1, b: 2 } });
      expect((await update({ metadata: { a: null, c: 3 } })).body.metadata).toEqual({ b: 2, c: 3 });
      const tooMuch = { d: 'x'.repeat(9000) };
      await update({ metadata: tooMuch });
      expect((await update({ metadata: { e: 'x'.repeat(9000) } })).status).toBe(400);
    });

    test('suspends: every evaluation is denied until the user is active again', async () => {
      await attach();
      expect((await update({ status: 'suspended' })).body.status).toBe('suspended');
      expect(await login()).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
      await update({ status: 'active' });
      expect((await login()).verdict).not.toBe('deny');
    });

    test("accepts the service's own ID, but prefers the customer's", async () => {
      await attach();
      const { _id } = (await update({})).body;
      expect((await update({}, _id)).body).toMatchObject({ _id, external_id: 'ann' });
    });

    test.each([{ email: 7 }, { phone: 491701234567 }, { status: 'gone' }, { metadata: 'x' }])(
      '400: %j',
      async (request) => {
        await attach();
        const { status, body } = await update(request);
        expect([status, body.errors[0].path]).toEqual([400, Object.keys(request)[0]]);
      },
    );

    test('creates an unknown user, once', async () => {
      const { status, body } = await update({ email: 'ann@example.com', metadata: { plan: 'family' } });
      expect([status, body]).toEqual([
        200,
        {
          _id: expect.any(String),
          external_id: 'ann',
          email: 'a***@e******.com',
          metadata: { plan: 'family' },
          status: 'active',
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ]);
      expect((await update({})).body).toEqual({ ...body, updatedAt: expect.any(String) });
      expect((await attach()).user_id).toBe(body._id);
      expect((await customer.get('/v2/user/ann/devices')).body.total).toBe(1);
    });

    test('sends codes to a user created this way', async () => {
      await update({ email: 'ann@example.com' });
      const { challenge_id } = await customer.challenge('ann', { email: undefined });
      expect(await customer.ask(`/v2/challenges/${challenge_id}/send`)).toMatchObject({ channel: 'email' });
    });

    test('creates one user for concurrent requests', async () => {
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((key) => update({ metadata: { [key]: 1 } })));
      expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
      expect((await update({})).body.metadata).toEqual({ a: 1, b: 1, c: 1, d: 1 });
    });

    test('treats IDs of another project or world as external IDs, and changes nothing there', async () => {
      await attach('ann', { email: 'ann@example.com' });
      const { _id } = (await update({})).body;
      const strangers = [
        customerOf(service, project, 'test'),
        customerOf(service, await service.newProject({ allowed_origins: [origin] })),
      ];
      for (const stranger of strangers) {
        for (const name of ['ann', _id]) {
          const { status, body } = await stranger.post(`/v2/user/${name}/update`, { status: 'suspended' });
          expect([status, body.external_id]).toEqual([200, name]);
          expect(body._id).not.toBe(_id);
          expect(body).not.toHaveProperty('email');
        }
      }
      expect((await update({})).body).toMatchObject({ _id, status: 'active' });
    });

    test.each(['a'.repeat(257), '%00', '%0A'])('400: %j is not a valid user ID', async (name) => {
      const { status, body } = await update({}, name);
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', 'id']);
    });
  });

  describe('GET /v2/user/:id/export', () => {
    test('contains all data of the user, with contacts in plain text', async () => {
      const { id, code } = await customer.sendCode('ann', { phone: '+491701234567', metadata: { cart: 7 } });
      await customer.ask(`/v2/challenges/${id}/verify`, { code: service.outbox.at(-1)?.code });
      await customer.ask(`/v2/challenges/${id}/complete`);
      const { evaluation_id, device_id } = await login();
      await customer.ask(`/v2/evaluations/${evaluation_id}/feedback`, { label: 'legitimate', note: 'a regular' });
      await customer.ask('/v2/user/ann/update', { metadata: { plan: 'family' } });
      const { body } = await customer.get('/v2/user/ann/export');
      expect(body.user).toMatchObject({
        email: 'ann@example.com',
        phone: '+491701234567',
        metadata: { plan: 'family' },
      });
      expect(body.addresses).toMatchObject([{ network: home, trusted_until: expect.any(String) }]);
      expect(body.devices).toMatchObject([{ _id: device_id, fingerprints: [{ fingerprint: laptop }] }]);
      expect(body.challenges).toMatchObject([{ _id: id, status: 'completed', channel: 'text', sends: 1 }]);
      expect(body.evaluations).toMatchObject([
        { email: 'ann@example.com', phone: '+491701234567', metadata: { cart: 7 }, fingerprint: laptop, ip: home },
        { evaluation_id, feedback: { label: 'legitimate', note: 'a regular' } },
      ]);
      expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
        'challenge.initiated',
        'challenge.pending',
        'challenge.completed',
      ]);
      expect(JSON.stringify(body)).not.toContain(code);
    });

    test('contains the emails about devices and contacts, and the former address', async () => {
      project = await service.newProject({ mail_new_device: true, mail_contact_changed: true });
      customer = customerOf(service, project);
      const { challenge_id, device_id } = await login('ann', { email: 'ann@example.com' });
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      service.clock.advance(1000);
      await customer.ask('/v2/user/ann/update', { email: 'new@example.com' });
      const { user, notices } = (await customer.get('/v2/user/ann/export')).body;
      const until = { former_email_until: expect.any(String) };
      expect(user).toMatchObject({ email: 'new@example.com', former_email: 'ann@example.com', ...until });
      const [about, changed, ...others] = notices;
      expect(about).toMatchObject({ kind: 'new_device', device_id, ip: home, used_at: null });
      expect(about).not.toHaveProperty('replaced_email');
      expect(changed).toMatchObject({ kind: 'contact_changed', device_id: null, replaced_email: 'ann@example.com' });
      expect(others).toEqual([]);
    });

    test('contains no data of others, even of users who share the device', async () => {
      await attach('ann', { email: 'ann@example.com' });
      await attach('bob', { email: 'bob@example.com' });
      await login('bob', { ip: elsewhere });
      const text = JSON.stringify((await customer.get('/v2/user/ann/export')).body);
      for (const secret of ['bob', elsewhere]) expect(text).not.toContain(secret);
    });

    test('404: an unknown user', async () => {
      expect((await customer.get('/v2/user/ann/export')).status).toBe(404);
    });
  });
});
