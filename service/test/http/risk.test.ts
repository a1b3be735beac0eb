import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Risk } from 'whorl/wire';
import { changeSettings, dayMs } from '../../src/testing.js';
import { type Customer, customerOf, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { writeMmdb } from '../support/mmdb.js';
import { startService, type TestService } from '../support/service.js';

const home = '81.2.69.142';
/** Another address of the same provider in the same city. */
const homeTomorrow = '81.2.70.17';
const abroad = '126.0.0.7';
const hidden = '126.0.0.9';
const strange = fingerprintOf({ seed: 'stranger', descriptor: 'dwf141' });
const place = (country: string, city: string, asn: number) => ({
  country: { iso_code: country },
  city: { names: { en: city } },
  location: {
    latitude: country === 'DE' ? 52.5 : 35.7,
    longitude: country === 'DE' ? 13.4 : 139.7,
    accuracy_radius: 20,
  },
  autonomous_system_number: asn,
});

/** Returns the score that contributions add up to. */
function addUp({ contributions }: Risk): number {
  const bits = contributions.reduce((sum, contribution) => sum + contribution.bits, 0);
  return Math.round(10_000 / (1 + 2 ** -bits)) / 100;
}

describeDatabases('risk', (kind) => {
  let folder: string;
  let service: TestService;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-risk-'));
    const networks = [
      ['81.2.0.0/16', place('DE', 'Berlin', 3320)],
      ['126.0.0.0/16', place('JP', 'Tokyo', 17676)],
    ] as const;
    await writeFile(join(folder, 'city.mmdb'), writeMmdb(networks, { type: 'Test-City' }));
    await writeFile(join(folder, 'tor.txt'), `${hidden}\n`);
    const environment = {
      ADDRESS_DATABASES: join(folder, 'city.mmdb'),
      ADDRESS_LISTS: `tor=${join(folder, 'tor.txt')}`,
    };
    service = await startService({ database: kind, environment });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const login = (customer: Customer, ip = home, fingerprint = laptop) =>
    customer.evaluate({ action: 'login', user: 'ada', fingerprint, ip });

  /** Returns a customer with a user who signed up and logged in on ten days. */
  async function withUser(settings: Record<string, unknown> = {}) {
    const project = await service.newProject({ allowed_origins: [origin], ...settings });
    const customer = customerOf(service, project);
    const contact = { email: 'ada@example.com' };
    await customer.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home, ...contact });
    for (let day = 0; day < 10; day++) {
      service.clock.advance(dayMs);
      await login(customer);
    }
    service.clock.advance(dayMs);
    return { customer, project };
  }

  describe('of a login', () => {
    test('is low at home, and high for a stranger from elsewhere', async () => {
      const { customer } = await withUser();
      const own = await login(customer);
      expect(own).toMatchObject({ verdict: 'allow', reasons: [] });
      expect(own.risk.score).toBe(0);
      const stranger = await login(customer, hidden, strange);
      expect(stranger.reasons).toContain('high_risk');
      expect(stranger.risk.score).toBeGreaterThan(20);
      expect(stranger.risk.contributions.map(({ fact }: { fact: string }) => fact)).toEqual([
        'prior',
        'device',
        'address',
        'kind',
        'time',
        'history',
      ]);
      expect(addUp(stranger.risk)).toBe(stranger.risk.score);
      expect(addUp(own.risk)).toBe(own.risk.score);
      expect(JSON.stringify(stranger.risk)).not.toMatch(/ada|81\.2|126\.0|JP|Tokyo/);
    });

    test('is recorded, and explains high_risk', async () => {
      const { customer } = await withUser();
      const { evaluation_id, risk } = await login(customer, hidden, strange);
      const record = (await customer.get(`/v2/evaluations/${evaluation_id}`)).body;
      expect(record.risk).toEqual(risk);
      const finding = record.evidence.find(({ reason }: { reason: string }) => reason === 'high_risk');
      expect(finding.evidence).toEqual({ score: risk.score, threshold: 0.15 });
    });

    test('compares nothing for a user without earlier logins', async () => {
      const customer = customerOf(service, await service.newProject());
      const { risk } = await customer.evaluate({ action: 'login', user: 'new', fingerprint: laptop, ip: home });
      expect(risk).toMatchObject({ score: 0.1, contributions: [{ fact: 'prior' }] });
    });

    test('learns nothing from a challenge that is not completed', async () => {
      const { customer } = await withUser();
      const [first, second] = [await login(customer, abroad, strange), await login(customer, abroad, strange)];
      expect(second.risk).toEqual(first.risk);
      await customer.ask(`/v2/challenges/${first.challenge_id}/complete`);
      expect((await login(customer, abroad, strange)).risk.score).toBeLessThan(first.risk.score);
    });
  });

  describe('with judge_by: risk', () => {
    test('a known device at another address of its provider is allowed, and a stranger is challenged', async () => {
      const { customer } = await withUser({ judge_by: 'risk' });
      expect(await login(customer, homeTomorrow)).toMatchObject({ verdict: 'allow', reasons: ['new_ip'] });
      const stranger = await login(customer, abroad, strange);
      expect(stranger).toMatchObject({ verdict: 'challenge' });
      expect(stranger.reasons).toEqual(expect.arrayContaining(['new_device', 'new_ip', 'high_risk']));
      await customer.ask(`/v2/challenges/${stranger.challenge_id}/complete`);
      expect(await login(customer, abroad, strange)).toMatchObject({ verdict: 'allow' });
    });

    test("a new device at the user's address is challenged, unless its score decides", async () => {
      const risk = { threshold: 100 };
      const { customer } = await withUser({ judge_by: 'risk', risk });
      const neighbour = await login(customer, home, strange);
      expect(neighbour).toMatchObject({ verdict: 'challenge', reasons: expect.arrayContaining(['high_risk']) });
      const { evidence } = (await customer.get(`/v2/evaluations/${neighbour.evaluation_id}`)).body;
      expect(evidence).toContainEqual({
        reason: 'high_risk',
        evidence: { score: neighbour.risk.score, threshold: 100, new_device_at_known_address: true },
      });
      const byScore = await withUser({ judge_by: 'risk', risk: { ...risk, new_device_at_known_address: 'score' } });
      expect(await login(byScore.customer, home, strange)).toMatchObject({ verdict: 'allow' });
    });

    test('a device that was detached is challenged, although the user had it', async () => {
      const { customer } = await withUser({ judge_by: 'risk' });
      const stranger = await login(customer, abroad, strange);
      await customer.ask(`/v2/challenges/${stranger.challenge_id}/complete`);
      const returning = await login(customer, abroad, strange);
      expect(returning).toMatchObject({ verdict: 'allow' });
      await customer.ask(`/v2/device/${returning.device_id}/detach`, {});
      const detached = await login(customer, abroad, strange);
      expect(detached).toMatchObject({ verdict: 'challenge' });
      expect(detached.risk.bits).toBeGreaterThan(returning.risk.bits);
      const { evidence } = (await customer.get(`/v2/evaluations/${detached.evaluation_id}`)).body;
      expect(evidence).toContainEqual({
        reason: 'high_risk',
        evidence: expect.objectContaining({ score: detached.risk.score, threshold: 0.15 }),
      });
      const own = await login(customer);
      await customer.ask(`/v2/device/${own.device_id}/detach`, {});
      expect(await login(customer)).toMatchObject({ verdict: 'challenge' });
    });

    test('a copied fingerprint at a provider that the user never had is challenged', async () => {
      const { customer } = await withUser({ judge_by: 'risk' });
      const copy = await login(customer, abroad);
      expect(copy).toMatchObject({ verdict: 'challenge', reasons: expect.arrayContaining(['high_risk']) });
    });

    test('rules apply to a user without earlier logins', async () => {
      const customer = customerOf(service, await service.newProject({ judge_by: 'risk' }));
      const request = { action: 'login', user: 'new', fingerprint: laptop, ip: home };
      expect(await customer.evaluate(request)).toMatchObject({ verdict: 'challenge' });
    });

    test('a threshold of 100 challenges nobody by the score', async () => {
      const { customer } = await withUser({ judge_by: 'risk', risk: { threshold: 100 } });
      const far = await login(customer, '81.2.200.1', phone);
      expect(far).toMatchObject({ verdict: 'allow', reasons: ['new_device', 'new_ip'] });
    });

    test('a blocked device is denied, and a trusted one at a trusted address is not challenged', async () => {
      const { customer } = await withUser({ judge_by: 'risk', risk: { threshold: 0 } });
      const own = await login(customer);
      expect(own).toMatchObject({ verdict: 'allow', reasons: ['high_risk'] });
      await customer.ask(`/v2/device/${own.device_id}/update`, { status: 'blocked' });
      expect(await login(customer)).toMatchObject({ verdict: 'deny' });
    });

    test('a policy of deny is no more than a challenge: a score alone never denies', async () => {
      const policy = { login: { high_risk: 'deny' } };
      const { customer } = await withUser({ judge_by: 'risk', policy });
      expect(await login(customer, '81.2.200.1', strange)).toMatchObject({ verdict: 'challenge_and_restrict' });
    });

    test('a share of logins becomes a threshold, once there are 100 users', async () => {
      const { customer, project } = await withUser();
      for (let count = 0; count < 100; count++) {
        const request = {
          user: `user ${count}`,
          fingerprint: fingerprintOf({ seed: `${count}` }),
          ip: `81.2.80.${count}`,
        };
        await customer.evaluate({ action: 'signup', ...request });
        expect(await customer.evaluate({ action: 'login', ...request })).toMatchObject({ verdict: 'allow' });
      }
      const change = { judge_by: 'risk', risk: { challenge_at_most: 5 } };
      await changeSettings(service.service, { project: project.project.id, changes: change, changedBy: 'test' });
      const threshold = async () => {
        const { evaluation_id } = await login(customer, abroad, strange);
        const { evidence } = (await customer.get(`/v2/evaluations/${evaluation_id}`)).body;
        return evidence.find(({ reason }: { reason: string }) => reason === 'high_risk')?.evidence.threshold;
      };
      // The first evaluation has the logins counted, and does not wait for it.
      await expect.poll(threshold).toBeLessThan(0.15);
    });
  });

  describe('of a sign-up', () => {
    const signUp = (customer: Customer, request: object) =>
      customer.evaluate({ action: 'signup', user: 'new', fingerprint: laptop, ip: home, ...request });

    test('rests on the account, and not on a history', async () => {
      const customer = customerOf(service, await service.newProject());
      const plain = await signUp(customer, {});
      expect(plain.risk).toEqual({
        score: 4.99,
        bits: -4.25,
        contributions: [{ fact: 'prior', bits: -4.25, text: 'What is expected of any sign-up.' }],
      });
      const bot = fingerprintOf({ seed: 'bot', integrity: ['webdriver'] });
      const request = { user: 'bot', fingerprint: bot, ip: hidden, email: 'a@mailinator.com' };
      const unwanted = await signUp(customer, request);
      expect(unwanted.reasons).toEqual(expect.arrayContaining(['automation', 'disposable_email', 'high_risk']));
      expect(unwanted.risk.contributions.map(({ fact }: { fact: string }) => fact)).toEqual([
        'prior',
        'automation',
        'email',
        'kind',
      ]);
      expect(unwanted.risk.score).toBeGreaterThan(95);
      expect(addUp(unwanted.risk)).toBe(unwanted.risk.score);
    });
  });

  describe('for a publishable key', () => {
    test('is neither returned nor judged by, until the evaluation is consumed', async () => {
      const { customer } = await withUser({ judge_by: 'risk' });
      const claim = await customer.claim('ada', { fingerprint: strange });
      expect(claim).not.toHaveProperty('risk');
      expect(claim.verdict).toBe('allow');
      const read = (await customer.get(`/v2/evaluations/${claim.evaluation_id}`)).body;
      expect(read).not.toHaveProperty('risk');
      expect(read.reasons).not.toContain('high_risk');
      const request = { user: 'ada', action: 'login' };
      const consumed = await customer.ask(`/v2/evaluations/${claim.evaluation_id}/consume`, request);
      expect(addUp(consumed.risk)).toBe(consumed.risk.score);
      expect(consumed.risk.contributions.length).toBeGreaterThan(1);
    });

    test('does not depend on the named user', async () => {
      const { customer } = await withUser({ judge_by: 'risk' });
      const [known, unknown] = [
        await customer.claim('ada', { fingerprint: strange }),
        await customer.claim('nobody', { fingerprint: strange }),
      ];
      expect(known.verdict).toBe(unknown.verdict);
    });
  });

  test('observe mode returns and records what both ways of judging would decide', async () => {
    const { customer, project } = await withUser();
    const change = { project: project.project.id, changedBy: 'test' };
    await changeSettings(service.service, { ...change, changes: { mode: 'observe' } });
    const byRules = await login(customer, homeTomorrow);
    const verdicts = { verdict: 'allow', observed_verdict: 'challenge', alternative_verdict: 'allow' };
    expect(byRules).toMatchObject(verdicts);
    expect((await customer.get(`/v2/evaluations/${byRules.evaluation_id}`)).body).toMatchObject(verdicts);
    await changeSettings(service.service, { ...change, changes: { judge_by: 'risk' } });
    expect(await login(customer, '81.2.71.3')).toMatchObject({
      verdict: 'allow',
      observed_verdict: 'allow',
      alternative_verdict: 'challenge',
    });
  });

  test('is exported with the user and erased with it', async () => {
    const { customer } = await withUser();
    const { evaluation_id, risk } = await login(customer, abroad, strange);
    const exported = (await customer.get('/v2/user/ada/export')).body;
    const record = exported.evaluations.find((one: { evaluation_id: string }) => one.evaluation_id === evaluation_id);
    expect(record.risk).toEqual(risk);
    await customer.ask('/v2/user/ada/delete');
    expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).status).toBe(404);
  });
});
