import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Customer, customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { codeIn, type Mailbox, startMailbox } from '../support/mailbox.js';
import { startService, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('sending through a real mail server', (kind) => {
  let mailbox: Mailbox;
  let service: TestService;
  let customer: Customer;
  beforeAll(async () => {
    mailbox = await startMailbox();
    service = await startService({
      database: kind,
      sender: mailbox.sender,
      environment: { LOG_LEVEL: 'fatal' },
    });
  });
  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });
  beforeEach(async () => {
    mailbox.release();
    customer = customerOf(service, await service.newProject({ daily_code_limit: 2 }));
  });

  const send = (id: string) => customer.post(`/v2/challenges/${id}/send`);
  const verify = (id: string, code: string) => customer.post(`/v2/challenges/${id}/verify`, { code });
  const lastCode = () => {
    const mail = mailbox.received.at(-1);
    return mail ? codeIn(mail) : '';
  };
  const countersOf = () =>
    service.db.selectFrom('counters').select(['name', 'count']).orderBy('name').orderBy('count').execute();

  test('uses email for a user with a phone number if only email is configured', async () => {
    const { challenge_id: id } = await customer.challenge('ann', { phone: '+491701234567' });
    expect((await send(id)).body).toMatchObject({ channel: 'email' });
    expect((await verify(id, lastCode())).body).toEqual({ success: true });
  });

  test('503: the provider is unreachable, and no code is consumed', async () => {
    const { challenge_id: id } = await customer.challenge('ann');
    await send(id);
    const code = lastCode();
    service.clock.advance(30_000);
    const before = [(await customer.get(`/v2/challenges/${id}`)).body, await countersOf()];

    mailbox.behave('puts_off');
    for (let time = 0; time < 6; time += 1) {
      const { status, body, headers } = await send(id);
      expect([status, body.code]).toEqual([503, 'unavailable']);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect([(await customer.get(`/v2/challenges/${id}`)).body, await countersOf()]).toEqual(before);
    expect((await verify(id, code)).body).toEqual({ success: true });

    mailbox.behave('takes');
    expect((await send(id)).status).toBe(200);
  });

  test('422: a permanently rejected address counts, and the old code stays valid', async () => {
    const { challenge_id: id } = await customer.challenge('ann');
    await send(id);
    const code = lastCode();
    service.clock.advance(30_000);
    mailbox.behave('refuses');
    const { status, body } = await send(id);
    expect([status, body.code]).toEqual([422, 'no_channel']);
    expect((await send(id)).status).toBe(429);
    expect((await verify(id, code)).body).toEqual({ success: true });
  });

  test('sends one code for two concurrent requests', async () => {
    const { challenge_id: id } = await customer.challenge('ann');
    const before = mailbox.received.length;
    mailbox.behave('holds');
    const first = send(id);
    await waitFor(() => mailbox.held() === 1, { what: 'the first mail' });
    const second = await send(id);
    expect([second.status, second.body.code]).toEqual([429, 'rate_limited']);
    mailbox.release();
    expect((await first).status).toBe(200);
    expect(mailbox.received.length - before).toBe(1);
  });

  test('keeps the old code valid until the new one is sent', async () => {
    const { challenge_id: id } = await customer.challenge('ann');
    await send(id);
    const code = lastCode();
    service.clock.advance(30_000);
    mailbox.behave('holds');
    const sending = send(id);
    await waitFor(() => mailbox.held() === 1, { what: 'the second mail' });
    expect((await verify(id, code)).body).toEqual({ success: true });
    mailbox.release();
    expect((await sending).status).toBe(200);
    expect((await customer.post(`/v2/challenges/${id}/complete`)).status).toBe(200);
  });

  test('409: the challenge is closed while its email is being sent', async () => {
    const { challenge_id: id } = await customer.challenge('ann');
    mailbox.behave('holds');
    const sending = send(id);
    await waitFor(() => mailbox.held() === 1, { what: 'the mail' });
    await customer.ask(`/v2/challenges/${id}/skip`);
    mailbox.release();
    expect((await sending).body.code).toBe('challenge_closed');
    expect((await customer.get(`/v2/challenges/${id}`)).body.sent_at).toBeUndefined();
  });
});
