import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { writeMmdb } from '../support/mmdb.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** Largest error of 16 distinct values, but for one run in 100,000. */
const estimateError = 4;
const login = { action: 'login', fingerprint: phone, ip: elsewhere };

describeDatabases('failed attempts of several users', (kind) => {
  let folder: string;
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-failures-'));
    const database = join(folder, 'asn.mmdb');
    const record = { autonomous_system_number: 64500, autonomous_system_organization: 'Example Hosting' };
    await writeFile(database, writeMmdb([['9.8.0.0/16', record]], { type: 'GeoLite2-ASN' }));
    service = await startService({ database: kind, environment: { ADDRESS_DATABASES: database } });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  /** Reports a failed attempt for each of a number of users. `more` makes the rest of each request. */
  async function fail(count: number, more: (index: number) => object = () => ({}), prefix = 'target') {
    for (let index = 0; index < count; index++) {
      await customer.evaluate({ ...login, user: `${prefix}-${index}`, outcome: 'failed', ...more(index) });
    }
  }

  /** Lets a user attach a device, and trust it at an address. */
  async function signUp(user: string, fingerprint = laptop, ip = home) {
    await customer.evaluate({ action: 'signup', user, fingerprint, ip });
  }

  const evidenceOf = async ({ evaluation_id }: { evaluation_id: string }, reason: string) => {
    const { body } = await customer.get(`/v2/evaluations/${evaluation_id}`);
    return body.evidence.find((finding: { reason: string }) => finding.reason === reason)?.evidence;
  };
  const differentDevice = (index: number) => ({ fingerprint: fingerprintOf({ seed: `attacker ${index}` }) });

  describe('password_guessing', () => {
    const guess = { ...login, user: 'ada', outcome: 'failed' };

    test('is raised at the eleventh failure of a user within a day, and for the log-in that follows', async () => {
      await signUp('ada');
      for (let count = 1; count <= 10; count++) {
        const ip = `203.0.113.${count}`;
        expect((await customer.evaluate({ ...guess, ip })).reasons).not.toContain('password_guessing');
      }
      const eleventh = await customer.evaluate(guess);
      expect(eleventh).toMatchObject({ verdict: 'challenge', reasons: expect.arrayContaining(['password_guessing']) });
      expect(await evidenceOf(eleventh, 'password_guessing')).toEqual({ failures: 11, failures_per_user: 10 });
      const guessed = await customer.evaluate({ ...login, user: 'ada' });
      expect(await evidenceOf(guessed, 'password_guessing')).toEqual({ failures: 11, failures_per_user: 10 });
    });

    test('does not challenge the owner, and says nothing about other users', async () => {
      await signUp('ada');
      await signUp('ben', phone, elsewhere);
      for (let count = 0; count < 12; count++) await customer.evaluate(guess);
      const owner = { action: 'login', fingerprint: laptop, ip: home };
      expect(await customer.evaluate({ ...owner, user: 'ada' })).toMatchObject({
        verdict: 'allow',
        reasons: ['password_guessing'],
      });
      expect((await customer.evaluate({ ...login, user: 'ben' })).reasons).not.toContain('password_guessing');
    });

    test('ends a day later', async () => {
      const clockless = { ...guess, user: 'cid' };
      for (let count = 0; count < 11; count++) await customer.evaluate(clockless);
      service.clock.advance(23 * hourMs);
      expect((await customer.evaluate(clockless)).reasons).toContain('password_guessing');
      service.clock.advance(26 * hourMs);
      expect((await customer.evaluate(clockless)).reasons).not.toContain('password_guessing');
    });

    test('counts a name that no user has, until it is erased', async () => {
      for (let count = 0; count < 11; count++) await customer.evaluate({ ...guess, user: 'nobody' });
      expect((await customer.evaluate({ ...guess, user: 'nobody' })).reasons).toContain('password_guessing');
      await customer.ask('/v2/user/nobody/delete');
      expect((await customer.evaluate({ ...guess, user: 'nobody' })).reasons).not.toContain('password_guessing');
    });

    test('does not count claims until they are consumed', async () => {
      const claim = () => customer.claim('ada', { outcome: 'failed' });
      for (let count = 0; count < 15; count++) await claim();
      expect((await customer.evaluate(guess)).reasons).not.toContain('password_guessing');
      for (let count = 0; count < 10; count++) {
        const { evaluation_id } = await claim();
        const consumed = { user: 'ada', action: 'login', outcome: 'failed' };
        await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, consumed);
      }
      const next = await customer.evaluate(guess);
      expect(await evidenceOf(next, 'password_guessing')).toMatchObject({ failures: 12 });
    });
  });

  describe('credential_stuffing', () => {
    test('is raised for failures of many users from one address', async () => {
      await signUp('victim');
      await fail(16, differentDevice);
      const found = await customer.evaluate({ ...login, user: 'victim' });
      expect(found).toMatchObject({ verdict: 'challenge' });
      const { address } = await evidenceOf(found, 'credential_stuffing');
      expect(address).toEqual({
        failed_users: expect.any(Number),
        failures: 16,
        evaluations: 16,
        users_per_address: 10,
      });
      expect(Math.abs(address.failed_users - 16)).toBeLessThanOrEqual(estimateError);
      const signup = await customer.evaluate({ ...login, action: 'signup', user: 'new' });
      expect(signup).toMatchObject({ verdict: 'restrict', reasons: expect.arrayContaining(['credential_stuffing']) });
    });

    test('is raised for one try per user from each of 50 addresses of one provider', async () => {
      await signUp('victim');
      await fail(100, (index) => ({ ...differentDevice(index), ip: `9.8.${index % 50}.7` }));
      const found = await customer.evaluate({ ...login, user: 'victim', ip: '9.8.99.7' });
      expect(await evidenceOf(found, 'credential_stuffing')).toMatchObject({ asn: { failures: 100 } });
    });

    test('by the fingerprint alone is only reported', async () => {
      await fail(20, (index) => ({ ip: `203.0.${index}.9` }));
      const request = { ...login, action: 'signup', user: 'new', ip: '198.51.100.200' };
      const found = await customer.evaluate(request);
      expect(found).toMatchObject({ verdict: 'allow', reasons: expect.arrayContaining(['credential_stuffing']) });
      expect(await evidenceOf(found, 'credential_stuffing')).toMatchObject({ device: { failures: 20 } });
    });

    test('is not raised for a known device or at a trusted address', async () => {
      await signUp('ada', laptop, elsewhere);
      await fail(20, differentDevice);
      const known = await customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: '203.0.113.77' });
      expect(known.reasons).not.toContain('credential_stuffing');
      const trusted = await customer.evaluate({ ...login, user: 'ada' });
      expect(trusted.reasons).not.toContain('credential_stuffing');
    });

    test('is not raised in an office where people mistype', async () => {
      const people = 40;
      for (let index = 0; index < people; index++) {
        const { fingerprint } = differentDevice(index);
        await signUp(`colleague-${index}`, fingerprint, elsewhere);
        if (index % 2 === 0) await fail(1, () => ({ fingerprint, user: `colleague-${index}` }));
        await customer.evaluate({ ...login, user: `colleague-${index}`, fingerprint });
      }
      const newcomer = await customer.evaluate({ ...login, user: 'newcomer' });
      expect(newcomer.reasons).not.toContain('credential_stuffing');
    });

    test('is raised in a campaign of one try per user and address, and not for those it does not resemble', async () => {
      await signUp('victim');
      for (let index = 0; index < 10; index++) {
        await signUp(`target-${index}`, fingerprintOf({ seed: `owner ${index}` }), `198.51.100.${index + 100}`);
      }
      await fail(1, undefined, 'mistyped');
      service.clock.advance(8 * dayMs);
      const anywhere = (index: number) => ({ ...differentDevice(index), ip: `11.${index}.3.4` });
      await fail(10, anywhere);
      const before = await customer.evaluate({ ...login, user: 'victim' });
      expect(before.reasons).not.toContain('credential_stuffing');
      await fail(10, (index) => anywhere(100 + index), 'nobody');
      const found = await customer.evaluate({ ...login, user: 'victim', ip: '12.3.4.5' });
      expect(found).toMatchObject({ verdict: 'challenge' });
      expect(await evidenceOf(found, 'credential_stuffing')).toEqual({
        project: { strange_failures: expect.any(Number), since: expect.any(String), usual_per_hour: 0.05 },
      });
      const own = await customer.evaluate({ action: 'login', user: 'victim', fingerprint: laptop, ip: home });
      expect(own).toMatchObject({ verdict: 'allow', reasons: [] });
      const signup = { action: 'signup', ...differentDevice(200), user: 'new' };
      const reported = await customer.evaluate({ ...signup, ip: '12.3.4.5' });
      expect(reported).toMatchObject({ verdict: 'allow', reasons: expect.arrayContaining(['credential_stuffing']) });
      const neighbour = await customer.evaluate({ ...signup, ...differentDevice(201), user: 'newer', ip: '11.5.3.99' });
      expect(neighbour).toMatchObject({ verdict: 'restrict' });
      expect(await evidenceOf(neighbour, 'credential_stuffing')).toMatchObject({
        network: { failed_users: 1 },
        project: {},
      });
      service.clock.advance(7 * dayMs);
      const after = await customer.evaluate({ ...login, user: 'victim', ip: '12.3.4.5' });
      expect(after.reasons).not.toContain('credential_stuffing');
    });

    test('of one address restricts no sign-up from elsewhere', async () => {
      await fail(1, undefined, 'mistyped');
      service.clock.advance(8 * dayMs);
      await fail(12, differentDevice);
      const honest = { action: 'signup', user: 'newcomer', fingerprint: laptop, ip: home };
      expect(await customer.evaluate(honest)).toMatchObject({ verdict: 'allow' });
    });

    test('is not raised for failures at the usual rate', async () => {
      for (let day = 0; day < 20; day++) {
        await fail(2, (index) => ({ ...differentDevice(day), ip: `11.${index}.${day}.4` }), `mistyped-${day}`);
        service.clock.advance(dayMs);
      }
      const newcomer = await customer.evaluate({ ...login, user: 'newcomer' });
      expect(newcomer.reasons).not.toContain('credential_stuffing');
    });

    test('counts simultaneous failures', async () => {
      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          customer.evaluate({ ...login, ...differentDevice(index), user: `target-${index}`, outcome: 'failed' }),
        ),
      );
      const found = await evidenceOf(await customer.evaluate({ ...login, user: 'new' }), 'credential_stuffing');
      expect(found.address).toMatchObject({ failures: 16, evaluations: 16 });
      expect(Math.abs(found.address.failed_users - 16)).toBeLessThanOrEqual(estimateError);
    });
  });
});
