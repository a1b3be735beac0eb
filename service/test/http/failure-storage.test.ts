import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, removeOldRows } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';

const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };
const failed = { ...login, outcome: 'failed' };

describeDatabases('the storage of failed attempts', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());

  const begin = async (settings: object = {}) =>
    customerOf(service, await service.newProject({ allowed_origins: [origin], ...settings }));

  const isStored = async (customer: Customer, id: string) =>
    (await customer.get(`/v2/evaluations/${id}`)).status === 200;

  test('of the largest attempt takes little', async () => {
    const customer = await begin();
    const large = { metadata: { note: 'x'.repeat(16_000) }, user_agent: 'x'.repeat(2048), version: 'x'.repeat(64) };
    const fingerprints = { fingerprint: 'x'.repeat(4096), last_fingerprint: 'y'.repeat(4096) };
    const { evaluation_id } = await customer.evaluate({ ...failed, ...large, ...fingerprints });
    const { body } = await customer.get(`/v2/evaluations/${evaluation_id}`);
    expect(body).toMatchObject({ outcome: 'failed', metadata: {}, user_agent: 'x'.repeat(40) });
    expect(JSON.stringify(body).length).toBeLessThan(1200);
  });

  describe.each([
    ['a network', { stored_per_network: 3 }],
    ['the project', { stored_per_day: 3 * 64 }],
  ])('above the quota of %s', (_, failure_limits) => {
    test('stops, and the attempts are still counted', async () => {
      const customer = await begin({ failure_limits, failures: { per_user: 5 } });
      const evaluations = [];
      for (let n = 0; n < 7; n++) evaluations.push(await customer.evaluate(failed));
      const stored = [];
      for (const { evaluation_id } of evaluations) stored.push(await isStored(customer, evaluation_id));
      expect(stored).toEqual([true, true, true, false, false, false, false]);
      expect(evaluations[4]).toMatchObject({ reasons: expect.not.arrayContaining(['password_guessing']) });
      expect(evaluations[6]).toMatchObject({ reasons: expect.arrayContaining(['password_guessing']) });
      expect(Object.keys(evaluations[3])).toEqual(Object.keys(evaluations[2]));
      expect((await customer.evaluate(login)).reasons).toContain('password_guessing');
    });

    test('continues for another network, and for what did not fail', async () => {
      const customer = await begin({ failure_limits });
      for (let n = 0; n < 4; n++) await customer.evaluate(failed);
      const others = [await customer.evaluate({ ...failed, ip: elsewhere }), await customer.evaluate(login)];
      for (const { evaluation_id } of others) expect(await isStored(customer, evaluation_id)).toBe(true);
    });

    test('gives the same answer to a retry with the same key', async () => {
      const customer = await begin({ failure_limits });
      for (let n = 0; n < 3; n++) await customer.evaluate(failed);
      const headers = { 'Idempotency-Key': 'once' };
      const first = await customer.post('/v2/device/evaluate', failed, headers);
      const again = await customer.post('/v2/device/evaluate', failed, headers);
      expect([again.status, again.body]).toEqual([200, first.body]);
    });
  });

  test('above the quota consumes what a page evaluated before its password was rejected', async () => {
    const customer = await begin({ failure_limits: { stored_per_network: 0 } });
    const { evaluation_id, fingerprint_id } = await customer.claim('ada');
    const consumption = { user: 'ada', action: 'login', outcome: 'failed' };
    const { status, body } = await customer.post(`/v2/evaluations/${evaluation_id}/consume`, consumption);
    expect(status).toBe(200);
    expect(body).toMatchObject({ evaluation_id, fingerprint_id, outcome: 'failed', claimed: true });
    expect(body).not.toHaveProperty('challenge_id');
    expect(await isStored(customer, evaluation_id)).toBe(false);
  });

  test('ends after 7 days for names that nobody has', async () => {
    const customer = await begin();
    await customer.evaluate({ ...login, action: 'signup' });
    const known = await customer.evaluate(failed);
    const unknown = await customer.evaluate({ ...failed, user: 'nobody' });
    service.clock.advance(7 * dayMs - 1000);
    await removeOldRows(service.service);
    expect(await isStored(customer, unknown.evaluation_id)).toBe(true);
    service.clock.advance(2000);
    await removeOldRows(service.service);
    expect(await isStored(customer, unknown.evaluation_id)).toBe(false);
    expect(await isStored(customer, known.evaluation_id)).toBe(true);
  });
});
