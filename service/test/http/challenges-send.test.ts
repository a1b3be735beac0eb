import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from 'whorl/wire';
import { dayMs, minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { createOutbox } from '../support/outbox.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('POST /v2/challenges/:id/send', (kind) => {
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

  const send = (id: string, body: object = {}) => customer.post(`/v2/challenges/${id}/send`, body);
  const raise = async (user: string, more: object = {}) => (await customer.challenge(user, more)).challenge_id;

  describe('200', () => {
    test('sends a code, returns the recipient and emits an event', async () => {
      const id = await raise('ann');
      const { body } = await send(id);
      const sentAt = Date.parse((await customer.get(`/v2/challenges/${id}`)).body.sent_at);
      expect(body).toEqual({
        challenge_id: id,
        channel: 'email',
        sent_to: 'a***@e******.com',
        expires_at: new Date(sentAt + 10 * minuteMs).toISOString(),
      });
      expect(service.outbox).toMatchObject([{ channel: 'email', to: 'ann@example.com', language: 'en' }]);
      const challenge = (await customer.get(`/v2/challenges/${id}`)).body;
      const told = (await service.events(project)).filter(({ type }) => type === 'challenge.pending');
      expect(told).toEqual([{ type: 'challenge.pending', data: { challenge } }]);
    });

    test('needs no body', async () => {
      const id = await raise('ann');
      expect((await customer.post(`/v2/challenges/${id}/send`)).status).toBe(200);
    });

    test.each([
      [{}, 'text', '+491701234567', '+**********67'],
      [{ channel: 'text' }, 'text', '+491701234567', '+**********67'],
      [{ channel: 'email' }, 'email', 'ann@example.com', 'a***@e******.com'],
    ])('uses for %j the channel %s', async (body, channel, to, sent_to) => {
      const id = await raise('ann', { phone: '+49 170 1234567' });
      expect((await send(id, body)).body).toMatchObject({ channel, sent_to });
      expect(service.outbox).toMatchObject([{ channel, to }]);
    });

    test("uses the language of the user's metadata", async () => {
      const id = await raise('ann');
      await customer.ask('/v2/user/ann/update', { metadata: { language: 'de-AT' } });
      await send(id);
      expect(service.outbox).toMatchObject([{ language: 'de-AT' }]);
    });

    test('does not store codes in plain text', async () => {
      const { id, code } = await customer.sendCode('ann');
      const row = await service.db.selectFrom('challenges').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row.code_hash?.length).toBe(32);
      expect(JSON.stringify({ ...row, created_at: 0, expires_at: 0, code_expires_at: 0, sent_at: 0 })).not.toContain(
        code,
      );
    });
  });

  describe('409', () => {
    test.each(['skip', 'complete'])('rejects a challenge after %s', async (operation) => {
      const id = await raise('ann');
      await customer.ask(`/v2/challenges/${id}/${operation}`);
      const { status, body } = await send(id);
      expect([status, body.code]).toEqual([409, 'challenge_closed']);
      expect(service.outbox).toEqual([]);
    });
  });

  describe('422', () => {
    test.each([
      ['without any address', { email: undefined }, {}],
      ['without one on the channel asked for', {}, { channel: 'text' }],
    ])('rejects a user %s', async (_, user, body) => {
      const id = await raise('ann', user);
      const answer = await send(id, body);
      expect([answer.status, answer.body.code]).toEqual([422, 'no_channel']);
    });
  });

  describe('429', () => {
    test('limits codes to one per 30 seconds', async () => {
      service.clock.stop();
      const id = await raise('ann');
      await send(id);
      service.clock.advance(29_000);
      const { status, body, headers } = await send(id);
      expect([status, body.code, headers.get('Retry-After')]).toEqual([429, 'rate_limited', '1']);
      service.clock.advance(1_000);
      expect((await send(id)).status).toBe(200);
      expect(service.outbox).toHaveLength(2);
    });

    test('limits codes to five per challenge', async () => {
      const id = await raise('ann');
      const statuses = [];
      for (let time = 0; time < 6; time += 1) {
        statuses.push((await send(id)).status);
        service.clock.advance(minuteMs);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    });

    test('limits codes to ten per hour and mailbox, regardless of spelling and user', async () => {
      const spellings = ['j.doe@gmail.com', 'J.Doe+shop@gmail.com', 'jdoe@googlemail.com'];
      const statuses = [];
      for (let index = 0; index < 11; index += 1) {
        const id = await raise(`user-${index}`, { email: spellings[index % 3], fingerprint: `opaque device ${index}` });
        statuses.push((await send(id)).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      const other = await raise('other', { email: 'other@gmail.com' });
      expect((await send(other)).status).toBe(200);
      service.clock.advance(60 * minuteMs);
      const late = await raise('late', { email: 'jdoe@gmail.com', fingerprint: 'opaque device late' });
      expect((await send(late)).status).toBe(200);
    });

    test('limits codes per day as configured', async () => {
      project = await service.newProject({ daily_code_limit: 2 });
      customer = customerOf(service, project);
      const ids = [await raise('ann'), await raise('bob'), await raise('cyd')];
      const statuses = [];
      for (const id of ids) statuses.push((await send(id)).status);
      expect(statuses).toEqual([200, 200, 429]);
      service.clock.advance(dayMs);
      expect((await send(await raise('dan'))).status).toBe(200);
    });
  });
});

describeDatabases('sending with a channel that is not configured', (kind) => {
  const channels = new Set<Channel>();
  const outbox = createOutbox();
  let service: TestService;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind, sender: { ...outbox, channels } });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    outbox.codes.length = 0;
    customer = customerOf(service, await service.newProject());
  });
  const configure = (...configured: readonly Channel[]) => {
    channels.clear();
    for (const channel of configured) channels.add(channel);
  };
  const challenge = async (contacts: object) => (await customer.challenge('ann', contacts)).challenge_id;
  const both = { email: 'ann@example.com', phone: '+491701234567' };

  test('offers and uses the configured channel, even if the user also has a contact for the other', async () => {
    configure('email');
    const id = await challenge(both);
    expect((await customer.get(`/v2/challenges/${id}`)).body.channels).toEqual(['email']);
    expect(await customer.ask(`/v2/challenges/${id}/send`)).toMatchObject({ channel: 'email' });
    expect(outbox.codes).toMatchObject([{ channel: 'email', to: 'ann@example.com' }]);
  });

  test.each<[Channel, string, Channel]>([
    ['text', 'TWILIO_FROM', 'email'],
    ['email', 'SMTP_URL', 'text'],
  ])('422: %s is requested; the detail names %s', async (asked, variable, configured) => {
    configure(configured);
    const id = await challenge(both);
    const { status, body } = await customer.post(`/v2/challenges/${id}/send`, { channel: asked });
    expect([status, body.code]).toEqual([422, 'no_channel']);
    expect(body.detail).toContain(variable);
    expect(outbox.codes).toEqual([]);
    expect(await customer.ask(`/v2/challenges/${id}/send`, { channel: configured })).toMatchObject({
      channel: configured,
    });
  });

  test.each<[object, string]>([
    [{ phone: '+491701234567', email: undefined }, 'TEXT_URL'],
    [{ email: undefined }, 'phone number'],
  ])('422: no channel for a user with %j', async (contacts, named) => {
    configure('email');
    const id = await challenge(contacts);
    expect((await customer.get(`/v2/challenges/${id}`)).body.channels).toEqual([]);
    const { status, body } = await customer.post(`/v2/challenges/${id}/send`);
    expect([status, body.code]).toEqual([422, 'no_channel']);
    expect(body.detail).toContain(named);
  });

  test('does not kick a device if no code can be sent to the user', async () => {
    configure();
    const { device_id } = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone });
    const id = await challenge(both);
    const { status, body } = await customer.post(`/v2/challenges/${id}/kick`, { device: device_id });
    expect([status, body.code]).toEqual([422, 'no_channel']);
  });
});
