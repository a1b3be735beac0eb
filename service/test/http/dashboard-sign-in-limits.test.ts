import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptSubjectsOf, countAttempt, forgetFailures, lockFailures, minuteMs } from '../../src/testing.js';
import { adminOf } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { signInFormOf } from '../support/sign-in-form.js';
import { type SeenPage, type Visitor, visitorOf } from '../support/visitor.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('signing in to the dashboard', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  let email: string;
  let visitor: Visitor;
  /** Each test has its own, because attempts from one network are counted together. */
  let address: string;
  let addresses = 0;
  beforeEach(() => {
    addresses += 1;
    address = `198.18.0.${addresses}`;
    email = `${randomUUID()}@example.com`;
    visitor = visitorOf(service);
  });

  const enter = signInFormOf(() => ({ email, address }));

  const waitOf = ({ headers }: SeenPage) => Number(headers.get('Retry-After'));
  const isAnyoneWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(service.db);
    return rows.length > 0;
  };

  describe('wrong passwords', () => {
    test.each(['of an account', 'of nobody'])(
      '%s make their source wait, longer each time, also with right ones',
      async (whose) => {
        await adminOf(service, whose === 'of an account' ? email : `other-${email}`);
        const tries = [];
        for (let times = 1; times <= 6; times++) {
          tries.push((await enter(visitor, { password: 'not the password' })).status);
        }
        expect(tries).toEqual([422, 422, 422, 422, 422, 429]);
        const locked = await enter(visitor);
        expect(locked.status).toBe(429);
        expect(locked.text).toMatch(/Too many wrong passwords. Try again in \d+ seconds./);
        expect(waitOf(locked)).toSatisfy((seconds: number) => seconds > 0 && seconds <= 30);
        service.clock.advance(30_000);
        expect((await enter(visitor, { password: 'not the password' })).status).toBe(422);
        expect(waitOf(await enter(visitor))).toSatisfy((seconds: number) => seconds > 30 && seconds <= 60);
        service.clock.advance(minuteMs);
        expect((await enter(visitor)).status).toBe(whose === 'of an account' ? 303 : 422);
      },
    );

    test('from other sources do not lock the owner out', async () => {
      await adminOf(service, email);
      for (let times = 1; times <= 10; times++) await enter(visitor, { password: 'not the password' }, '198.51.100.40');
      expect((await enter(visitor, {}, '198.51.100.40')).status).toBe(429);
      expect((await enter(visitorOf(service))).status).toBe(303);
    });

    test('from many sources are limited per account, except from known sources', async () => {
      await adminOf(service, email);
      expect((await enter(visitorOf(service))).status).toBe(303);
      const wrong = { password: 'not the password' };
      await visitor.get('/dashboard/sign-in');
      const many = Array.from({ length: 50 }, (_, at) =>
        visitor.submit('sign-in', { email, ...wrong }, { 'X-Forwarded-For': `198.51.101.${at}` }),
      );
      for (const { status } of await Promise.all(many)) expect(status).toBe(422);
      const stranger = await enter(visitor, wrong, '198.51.101.100');
      expect([stranger.status, waitOf(stranger)]).toEqual([429, expect.any(Number)]);
      expect((await enter(visitorOf(service))).status).toBe(303);
      expect((await enter(visitor, {}, '198.51.101.101')).status).toBe(429);
      // A successful sign-in of the owner gives attackers no new attempts.
      service.clock.advance(30_000);
      expect((await enter(visitor, wrong, '198.51.101.102')).status).toBe(422);
      expect(waitOf(await enter(visitor, wrong, '198.51.101.103'))).toBeGreaterThan(30);
      await adminOf(service, email);
      expect((await enter(visitorOf(service), {}, '198.51.101.104')).status).toBe(303);
    });

    test('count also in the form for a new password', async () => {
      const admin = await adminOf(service, email);
      await admin.get('/dashboard/account');
      const tries = [];
      for (let times = 1; times <= 6; times++) {
        const wrong = { current: 'not the password', next: 'another horse, another battery' };
        tries.push((await admin.submit('password', wrong, { 'X-Forwarded-For': address })).text);
      }
      expect(tries.at(-2)).toContain('This password is wrong.');
      expect(tries.at(-1)).toContain('Too many wrong passwords.');
      expect((await enter(visitor)).status).toBe(429);
    });

    test('count per source for all accounts, and not while the source is locked', async () => {
      await adminOf(service, email);
      const from = '203.0.113.77';
      await visitor.get('/dashboard/sign-in');
      const wrong = (who: string) => ({ email: who, password: 'not the password' });
      const all = Array.from({ length: 20 }, (_, at) =>
        visitor.submit('sign-in', wrong(`${at}-${email}`), { 'X-Forwarded-For': from }),
      );
      for (const { status } of await Promise.all(all)) expect(status).toBe(422);
      for (let times = 1; times <= 5; times++) expect((await enter(visitor, wrong(email), from)).status).toBe(429);
      expect((await enter(visitor, {}, '203.0.113.78')).status).toBe(303);
    });

    test('are limited the same if sent concurrently', async () => {
      await adminOf(service, email);
      await visitor.get('/dashboard/sign-in');
      const wrong = { email, password: 'not the password' };
      const all = Array.from({ length: 8 }, () => visitor.submit('sign-in', wrong, { 'X-Forwarded-For': address }));
      const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
      expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
    });
  });

  // The embedded database runs one transaction at a time.
  const testOfMany = kind === 'postgresql' ? test : undefined;
  testOfMany?.('counts on where another request forgets the tries meanwhile', async () => {
    const trying = await attemptSubjectsOf(service.db, service.service, email, undefined);
    await countAttempt(service.service, trying);
    const other = await service.db.transaction().execute(async (trx) => {
      await lockFailures(trx, trying.account, service.service.now());
      const waiting = countAttempt(service.service, trying);
      await waitFor(() => isAnyoneWaiting(), { what: 'the second to wait for the first' });
      await forgetFailures(trx, trying.account);
      return { waiting };
    });
    expect(await other.waiting).toBe(0);
  });
});
