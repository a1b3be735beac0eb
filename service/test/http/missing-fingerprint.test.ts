import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const login = { action: 'login', user: 'ada', ip: home };

describeDatabases('a request without a fingerprint', (kind) => {
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

  /** Completes a challenge of a login without a fingerprint, and returns its ID. */
  async function completeChallenge(more: object = {}): Promise<string> {
    const { challenge_id: id } = await customer.challenge('ada', { fingerprint: undefined, ...more });
    await customer.ask(`/v2/challenges/${id}/complete`);
    return id;
  }

  describe('with the secret key', () => {
    test('is challenged at every login, and attaches no device', async () => {
      const first = await customer.evaluate(login);
      expect(first).toMatchObject({
        verdict: 'challenge',
        reasons: ['new_device', 'new_ip', 'unreadable_fingerprint'],
        challenge_id: expect.any(String),
        matched_by: 'new',
        fingerprint_id: expect.any(String),
      });
      expect(first).not.toHaveProperty('device_id');
      expect(first).not.toHaveProperty('device_token');
      const second = await customer.evaluate(login);
      // Nothing tells whether both come from the same browser, so neither completes the other's challenge.
      expect(second.challenge_id).not.toBe(first.challenge_id);
      expect(second.fingerprint_id).not.toBe(first.fingerprint_id);
      expect((await customer.get('/v2/user/ada/devices')).body.total).toBe(0);
    });

    test('is recorded without one', async () => {
      const { evaluation_id: id } = await customer.evaluate(login);
      const { status, body } = await customer.get(`/v2/evaluations/${id}`);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('fingerprint');
      expect(body).not.toHaveProperty('device_id');
      expect(body.evidence).toContainEqual({ reason: 'unreadable_fingerprint', evidence: { missing: true } });
      expect((await customer.get('/v2/user/ada/export')).status).toBe(200);
    });

    test.each(['', null])('counts %j as missing', async (fingerprint) => {
      expect((await customer.evaluate({ ...login, fingerprint })).reasons).toContain('unreadable_fingerprint');
    });

    test.each(['x'.repeat(5000), 7, '\u0000'])('refuses an invalid one', async (fingerprint) => {
      const { status, body } = await customer.post('/v2/device/evaluate', { ...login, fingerprint });
      expect({ status, code: body.code, path: body.errors[0].path }).toEqual({
        status: 400,
        code: 'invalid_request',
        path: 'fingerprint',
      });
    });

    test('is counted as a failed attempt by user and address', async () => {
      for (let count = 0; count < 11; count += 1) await customer.evaluate({ ...login, outcome: 'failed' });
      const { reasons } = await customer.evaluate({ ...login, fingerprint: laptop });
      expect(reasons).toContain('password_guessing');
      for (let count = 0; count < 12; count += 1) {
        await customer.evaluate({ ...login, user: `user${count}`, outcome: 'failed' });
      }
      const strange = await customer.evaluate({ ...login, user: 'eve' });
      expect(strange.reasons).toContain('credential_stuffing');
    });

    test('is required to attach a device', async () => {
      const { status, body } = await customer.post('/v2/device/attach', { user: 'ada' });
      expect([status, body.errors[0].path]).toEqual([400, 'fingerprint']);
    });

    test('can go through the code flow, the list of devices and the events', async () => {
      const { id, code } = await customer.sendCode('ada', { fingerprint: undefined });
      expect(await customer.ask(`/v2/challenges/${id}/verify`, { code })).toEqual({ success: true });
      expect(await customer.ask(`/v2/challenges/${id}/open`)).not.toHaveProperty('device_id');
      expect((await customer.get(`/v2/challenges/${id}/devices`)).body).toEqual({ data: [] });
      expect(await customer.ask(`/v2/challenges/${id}/complete`)).toEqual({ success: true });
      const { body } = await customer.get(`/v2/challenges/${id}`);
      expect(body).toMatchObject({ status: 'completed', limit: { overall: 0, is_exceeded: false } });
      expect((await customer.get('/v2/user/ada/devices')).body.total).toBe(0);
    });

    test('kicks a device of the user', async () => {
      const { device_id } = await customer.ask('/v2/device/attach', {
        user: 'ada',
        fingerprint: laptop,
        ip: elsewhere,
      });
      const { id, code } = await customer.sendCode('ada', { fingerprint: undefined });
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      const { device } = await customer.ask(`/v2/challenges/${id}/kick`, { device: device_id });
      expect(device).toMatchObject({ _id: device_id, status: 'detached' });
    });

    test('trusts the address, and no device, when its challenge is completed', async () => {
      await completeChallenge();
      const { verdict, reasons } = await customer.evaluate({ ...login, fingerprint: laptop });
      expect({ verdict, reasons }).toEqual({ verdict: 'challenge', reasons: ['new_device', 'high_risk'] });
    });
  });

  describe('with a completed challenge', () => {
    test('is allowed once', async () => {
      const id = await completeChallenge();
      const allowed = await customer.evaluate({ ...login, completed_challenge: id });
      const reasons = ['new_device', 'unreadable_fingerprint', 'high_risk'];
      expect(allowed).toMatchObject({ verdict: 'allow', reasons });
      expect(allowed).not.toHaveProperty('device_id');
      expect((await customer.evaluate({ ...login, completed_challenge: id })).verdict).toBe('challenge');
    });

    test('is allowed once, however many requests arrive together', async () => {
      const id = await completeChallenge();
      const requests = Array.from({ length: 8 }, () => customer.evaluate({ ...login, completed_challenge: id }));
      const verdicts = (await Promise.all(requests)).map(({ verdict }) => verdict);
      expect(verdicts.filter((verdict) => verdict === 'allow')).toHaveLength(1);
    });

    test('is allowed with a placeholder in place of the fingerprint', async () => {
      const id = await completeChallenge({ fingerprint: 'undefined' });
      const request = { ...login, fingerprint: 'null', completed_challenge: id };
      expect((await customer.evaluate(request)).verdict).toBe('allow');
    });

    test('is allowed although others guess the password', async () => {
      for (let count = 0; count < 11; count += 1) {
        await customer.evaluate({ ...login, ip: elsewhere, outcome: 'failed' });
      }
      const id = await completeChallenge();
      const { verdict, reasons } = await customer.evaluate({ ...login, completed_challenge: id });
      expect(verdict).toBe('allow');
      expect(reasons).toContain('password_guessing');
    });

    test('stays denied', async () => {
      const id = await completeChallenge();
      await customer.ask('/v2/user/ada/update', { status: 'suspended' });
      expect((await customer.evaluate({ ...login, completed_challenge: id })).verdict).toBe('deny');
      await customer.ask('/v2/user/ada/update', { status: 'active' });
      // The challenge is from before the suspension.
      expect((await customer.evaluate({ ...login, completed_challenge: id })).verdict).toBe('challenge');
    });

    test.each([
      ['of another address', { ip: elsewhere }],
      ['without an address', { ip: undefined }],
      ['of another user', { user: 'eve' }],
      ['of another action', { action: 'payment' }],
      ['with a readable fingerprint', { fingerprint: laptop }],
      ['that is unknown', { completed_challenge: '018f3c1e-0000-7000-8000-000000000000' }],
      ['that is no ID', { completed_challenge: 'x' }],
    ])('is challenged by a request %s', async (_name, change) => {
      const completed_challenge = await completeChallenge();
      const { verdict } = await customer.evaluate({ ...login, completed_challenge, ...change });
      expect(verdict).toBe('challenge');
      const failed = { ...login, completed_challenge, outcome: 'failed' };
      expect((await customer.evaluate(failed)).verdict).toBe('challenge');
      // It is still unused.
      const { verdict: later } = await customer.evaluate({ ...login, completed_challenge });
      expect(later).toBe('allow');
    });

    test('is challenged if a readable fingerprint was challenged', async () => {
      const id = await completeChallenge({ fingerprint: laptop });
      expect((await customer.evaluate({ ...login, completed_challenge: id })).verdict).toBe('challenge');
    });

    test('is challenged before completion, and 10 minutes after it', async () => {
      const { challenge_id: pending } = await customer.evaluate(login);
      expect((await customer.evaluate({ ...login, completed_challenge: pending })).verdict).toBe('challenge');
      const id = await completeChallenge();
      service.clock.advance(10 * minuteMs + 1);
      expect((await customer.evaluate({ ...login, completed_challenge: id })).verdict).toBe('challenge');
    });

    test('warns a test key about one that is not accepted', async () => {
      const tester = customerOf(service, project, 'test');
      const { warnings } = await tester.evaluate({ ...login, completed_challenge: 'x' });
      expect(warnings.map(({ path }: { path: string }) => path)).toEqual([
        'fingerprint',
        'proof',
        'completed_challenge',
      ]);
    });
  });

  test('is refused with a publishable key, which cannot name a completed challenge', async () => {
    const page = (body: object) =>
      service.api('/v2/device/evaluate', {
        key: project.keys.test.publishable,
        body: { action: 'login', user: 'ada', ...body },
        headers: { Origin: origin },
      });
    const missing = await page({});
    expect([missing.status, missing.body.errors]).toEqual([400, [{ path: 'fingerprint', message: 'is required' }]]);
    const ignored = await page({ fingerprint: 'undefined', completed_challenge: 'x' });
    expect(ignored.body.warnings).toContainEqual({
      path: 'completed_challenge',
      message: 'is ignored with a publishable key',
    });
  });
});
