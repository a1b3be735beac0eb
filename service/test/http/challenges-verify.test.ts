import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, differentCode } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';

describeDatabases('POST /v2/challenges/:id/verify', (kind) => {
  let service: TestService;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    customer = customerOf(service, await service.newProject());
  });

  const verify = (id: string, code: string) => customer.post(`/v2/challenges/${id}/verify`, { code });
  const verifyWrongly = async (id: string, code: string, times: number) => {
    for (let time = 0; time < times; time += 1) await verify(id, differentCode(code));
  };
  /** Sends a new code and advances the clock by 30 seconds. */
  const resend = async (id: string) => {
    service.clock.advance(30_000);
    await customer.ask(`/v2/challenges/${id}/send`);
    return service.outbox.at(-1)?.code ?? '';
  };

  describe('200', () => {
    test('accepts the sent code and records the time', async () => {
      const { id, code } = await customer.sendCode('ann');
      expect(code).toMatch(/^\d{6}$/);
      service.clock.advance(1000);
      expect((await verify(id, code)).body).toEqual({ success: true });
      const { body } = await customer.get(`/v2/challenges/${id}`);
      expect(Date.parse(body.verified_at)).toBeGreaterThan(Date.parse(body.createdAt));
      expect(body.status).toBe('pending');
    });

    test('accepts a code that contains a space', async () => {
      const { id, code } = await customer.sendCode('ann');
      expect((await verify(id, `${code.slice(0, 3)} ${code.slice(3)}`)).body).toEqual({ success: true });
    });

    test('counts wrong codes down, and accepts the correct one at the fifth attempt', async () => {
      const { id, code } = await customer.sendCode('ann');
      const remaining = [];
      for (let time = 0; time < 4; time += 1) remaining.push((await verify(id, differentCode(code))).body);
      expect(remaining).toEqual([4, 3, 2, 1].map((left) => ({ success: false, attempts_remaining: left })));
      expect((await verify(id, code)).body).toEqual({ success: true });
    });

    test('says when another code can be sent after the last wrong one', async () => {
      const { id, code } = await customer.sendCode('ann');
      await verifyWrongly(id, code, 4);
      service.clock.advance(10_000);
      const last = { success: false, attempts_remaining: 0 };
      expect((await verify(id, differentCode(code))).body).toEqual({ ...last, resend_after_seconds: 20 });
      const second = await resend(id);
      await verifyWrongly(id, second, 4);
      service.clock.advance(30_000);
      // The user's tenth wrong code within an hour: another one can be sent now, but not tried.
      const { body } = await verify(id, differentCode(second));
      expect(body).toMatchObject(last);
      expect(body.resend_after_seconds).toBeGreaterThan(3500);
    });

    test('says after the last wrong code that no more codes can be sent', async () => {
      const { id } = await customer.sendCode('ann');
      for (let sends = 1; sends < 4; sends += 1) await resend(id);
      const code = await resend(id);
      await verifyWrongly(id, code, 4);
      expect((await verify(id, differentCode(code))).body).toEqual({ success: false, attempts_remaining: 0 });
    });

    test.each(['12345', '1234567', 'letter', '12345a'])('rejects %j as a wrong code', async (typed) => {
      const { id } = await customer.sendCode('ann');
      expect((await verify(id, typed)).body).toEqual({ success: false, attempts_remaining: 4 });
    });

    test('accepts the correct code again without counting it, even after completion', async () => {
      const { id, code } = await customer.sendCode('ann');
      for (let time = 0; time < 7; time += 1) expect((await verify(id, code)).body).toEqual({ success: true });
      const first = (await customer.get(`/v2/challenges/${id}`)).body.verified_at;
      await customer.ask(`/v2/challenges/${id}/complete`);
      expect((await verify(id, code)).body).toEqual({ success: true });
      expect((await customer.get(`/v2/challenges/${id}`)).body.verified_at).toBe(first);
    });

    test('accepts only the new code once another was sent, with five new attempts', async () => {
      const { id, code: old } = await customer.sendCode('ann');
      await verifyWrongly(id, old, 3);
      let code = await resend(id);
      // One in a million repeats the previous code.
      if (code === old) code = await resend(id);
      expect((await verify(id, old)).body).toEqual({ success: false, attempts_remaining: 4 });
      expect((await verify(id, code)).body).toEqual({ success: true });
    });
  });

  describe('400', () => {
    test('requires a code', async () => {
      const { id } = await customer.sendCode('ann');
      const { status, body } = await customer.post(`/v2/challenges/${id}/verify`, {});
      expect([status, body.errors[0].path]).toEqual([400, 'code']);
    });
  });

  describe('404', () => {
    test('does not find a challenge of another project', async () => {
      const { id, code } = await customer.sendCode('ann');
      const stranger = customerOf(service, await service.newProject());
      expect((await stranger.post(`/v2/challenges/${id}/verify`, { code })).body.code).toBe('not_found');
    });
  });

  describe('409', () => {
    test('requires that a code was sent', async () => {
      const { challenge_id } = await customer.challenge('ann');
      const { status, body } = await verify(challenge_id, '123456');
      expect([status, body.code]).toEqual([409, 'code_not_sent']);
    });

    test('rejects a skipped challenge', async () => {
      const { id, code } = await customer.sendCode('ann');
      await customer.ask(`/v2/challenges/${id}/skip`);
      const { status, body } = await verify(id, code);
      expect([status, body.code]).toEqual([409, 'challenge_closed']);
    });

    test('rejects an expired challenge even before the job has run', async () => {
      const { id } = await customer.sendCode('ann');
      service.clock.advance(dayMs);
      const { status, body } = await verify(id, '123456');
      expect([status, body.code]).toEqual([409, 'challenge_closed']);
    });
  });

  describe('410', () => {
    test('rejects an expired code', async () => {
      const { id, code } = await customer.sendCode('ann');
      service.clock.advance(10 * minuteMs);
      const { status, body } = await verify(id, code);
      expect([status, body.code]).toEqual([410, 'code_expired']);
    });
  });

  describe('429', () => {
    test('rejects the sixth attempt at a code, correct or not, until another is sent', async () => {
      const { id, code } = await customer.sendCode('ann');
      await verifyWrongly(id, code, 5);
      for (const sixth of [code, differentCode(code)]) {
        const { status, body } = await verify(id, sixth);
        expect([status, body.code]).toEqual([429, 'too_many_attempts']);
      }
      expect((await verify(id, await resend(id))).body).toEqual({ success: true });
    });

    test('rejects a user after 10 wrong codes in an hour over all challenges, without affecting other users', async () => {
      const first = await customer.sendCode('ann', { action: 'payment' });
      await verifyWrongly(first.id, first.code, 5);
      const second = await customer.sendCode('ann', { action: 'password_reset' });
      await verifyWrongly(second.id, second.code, 5);
      const third = await customer.sendCode('ann', { action: 'login' });
      const { status, body, headers } = await verify(third.id, third.code);
      expect([status, body.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(3500);

      const other = await customer.sendCode('bob');
      expect((await verify(other.id, other.code)).body).toEqual({ success: true });
      service.clock.advance(60 * minuteMs);
      const code = await resend(third.id);
      expect((await verify(third.id, code)).body).toEqual({ success: true });
    });
  });
});
