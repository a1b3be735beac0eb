import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/testing.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const origin = 'https://shop.example';
const home = '198.51.100.7';
const elsewhere = '203.0.113.9';
const victimsPhone = fingerprintOf({ seed: 'the phone of the victim', descriptor: 'mac156' });
const strangersLaptop = fingerprintOf({ seed: 'the laptop of a stranger', descriptor: 'dwc156' });

/** Attackers with a copied publishable key and a forged origin, or with a copied fingerprint (decisions 3 and 5). */
describeDatabases('attacks', (kind) => {
  let service: TestService;
  let project: TestProject;

  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
  });

  const asServer = (path: string, body?: object) => service.api(path, { key: project.keys.test.secret, body });
  const asStranger = (path: string, body: object) =>
    service.api(path, { key: project.keys.test.publishable, body, headers: { Origin: origin } });
  const login = (user: string, fingerprint: string, ip: string, more: object = {}) =>
    asServer('/v2/device/evaluate', { action: 'login', user, fingerprint, ip, ...more });
  const signUp = (user: string, fingerprint: string, ip: string, more: object = {}) =>
    asServer('/v2/device/evaluate', { action: 'signup', user, fingerprint, ip, ...more });
  const claim = (user: string, fingerprint: string, more: object = {}) =>
    asStranger('/v2/device/evaluate', { action: 'login', user, fingerprint, ...more });

  describe('a copied publishable key', () => {
    beforeEach(async () => {
      await signUp('victim', victimsPhone, home, { email: 'victim@example.com' });
    });

    test('redirects no codes', async () => {
      const { body } = await claim('victim', strangersLaptop, { email: 'thief@example.com', phone: '+14155550123' });
      await asServer(`/v2/challenges/${body.challenge_id}/send`);
      expect(service.outbox.map(({ to }) => to)).toEqual(['victim@example.com']);
    });

    test('cannot redirect codes of a user who does not exist yet', async () => {
      const { body } = await claim('newcomer', strangersLaptop, { email: 'thief@example.com' });
      const sent = await asServer(`/v2/challenges/${body.challenge_id}/send`);
      expect(sent.body).toMatchObject({ status: 422, code: 'no_channel' });
    });

    test("cannot pre-register a user: sign-up stores the user's own contacts", async () => {
      await asStranger('/v2/device/evaluate', {
        action: 'signup',
        user: 'newcomer',
        fingerprint: strangersLaptop,
        email: 'thief@example.com',
      });
      await signUp('newcomer', victimsPhone, home, { email: 'newcomer@example.com' });
      const { body } = await asServer('/v2/user/newcomer/update', {});
      expect(body.email).toBe('n***@e******.com');
      const strange = await login('newcomer', strangersLaptop, elsewhere);
      expect(strange.body.verdict).toBe('challenge');
    });

    test('does not consume the limits of a user', async () => {
      for (const seed of ['1', '2', '3', '4', '5', '6', '7']) await claim('victim', fingerprintOf({ seed }));
      const devices = await service.api('/v2/user/victim/devices', { key: project.keys.test.secret });
      expect(devices.body.total).toBe(1);
      const { body } = await login('victim', victimsPhone, home);
      expect(body).toMatchObject({ verdict: 'allow', reasons: [] });
    });

    test('does not reveal whether a user exists', async () => {
      const known = await claim('victim', strangersLaptop);
      const unknown = await claim('nobody', strangersLaptop);
      expect(Object.keys(known.body).sort()).toEqual(Object.keys(unknown.body).sort());
      expect(known.body.verdict).toBe(unknown.body.verdict);
      expect(known.body).not.toHaveProperty('reasons');
    });

    test('emits no event and appears in no history', async () => {
      const before = await service.events(project);
      await claim('victim', strangersLaptop);
      await claim('nobody', strangersLaptop);
      expect(await service.events(project)).toEqual(before);
      const { body } = await service.api('/v2/proj/access-history', { key: project.keys.test.secret });
      expect(body.total).toBe(1);
    });

    test('cannot reuse an evaluation for another user, another action, or twice', async () => {
      const { body } = await claim('stranger', strangersLaptop);
      const consume = (user: string, action: string) =>
        asServer(`/v2/evaluations/${body.evaluation_id}/consume`, { user, action });
      expect((await consume('victim', 'login')).body.code).toBe('evaluation_mismatch');
      expect((await consume('stranger', 'payment')).body.code).toBe('evaluation_mismatch');
      expect((await consume('stranger', 'login')).status).toBe(200);
      expect((await consume('stranger', 'login')).body.code).toBe('already_consumed');
    });

    test('cannot use an expired evaluation', async () => {
      const { body } = await claim('stranger', strangersLaptop);
      service.clock.advance(5 * minuteMs + 1);
      const late = await asServer(`/v2/evaluations/${body.evaluation_id}/consume`, {
        user: 'stranger',
        action: 'login',
      });
      expect(late.body).toMatchObject({ status: 410, code: 'evaluation_expired' });
    });

    test('cannot set the IP address', async () => {
      const { body } = await claim('victim', victimsPhone, { ip: home });
      expect(body.verdict).toBe('challenge');
    });
  });

  describe('a copied or similar fingerprint', () => {
    beforeEach(async () => {
      await signUp('victim', victimsPhone, home);
    });

    test('is challenged at another IP address, even if it is identical', async () => {
      const { body } = await login('victim', victimsPhone, elsewhere);
      expect(body).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'], matched_by: 'exact' });
    });

    test("does not affect the victim's device before it passes a challenge", async () => {
      const devices = () => service.api('/v2/user/victim/devices', { key: project.keys.test.secret });
      const before = await devices();
      service.clock.advance(minuteMs);
      await login('victim', victimsPhone, elsewhere);
      expect((await devices()).body).toEqual(before.body);
    });

    test("gains no trust by resembling the victim's device", async () => {
      const project2 = await service.newProject({ address_change: 'allow' });
      const ask = (body: object) =>
        service.api('/v2/device/evaluate', { key: project2.keys.test.secret, body: { user: 'victim', ...body } });
      await ask({ action: 'signup', fingerprint: victimsPhone, ip: home });
      const alike = fingerprintOf({
        seed: 'the phone of the victim',
        descriptor: 'mac157',
        changed: ['surface', 'timezone'],
      });
      const { body } = await ask({
        action: 'login',
        fingerprint: alike,
        last_fingerprint: victimsPhone,
        ip: elsewhere,
      });
      expect(body.matched_by).toBe('last');
      expect(body.verdict).toBe('challenge');
    });

    test("is not recognised as the victim's device by its saved fingerprint on other hardware", async () => {
      const { body } = await login('victim', strangersLaptop, elsewhere, { last_fingerprint: victimsPhone });
      expect(body).toMatchObject({ matched_by: 'new', verdict: 'challenge' });
    });

    test('does not lead to denials of two customers with identical phones', async () => {
      const verdicts: string[] = [];
      for (const [index, user] of ['ann', 'bob', 'cid', 'dan', 'eve'].entries()) {
        const ip = `198.51.100.${10 + index}`;
        verdicts.push((await signUp(user, victimsPhone, ip)).body.verdict);
      }
      expect(verdicts).toEqual(Array(5).fill('allow'));
    });
  });

  describe('trust', () => {
    test('applies only to the device and IP address that completed a challenge', async () => {
      const first = await login('ann', victimsPhone, home, { email: 'ann@example.com' });
      expect(first.body.verdict).toBe('challenge');
      await asServer(`/v2/challenges/${first.body.challenge_id}/complete`);
      expect((await login('ann', victimsPhone, home)).body).toMatchObject({ verdict: 'allow', reasons: [] });
      expect((await login('ann', victimsPhone, elsewhere)).body.verdict).toBe('challenge');
      expect((await login('ann', strangersLaptop, home)).body.verdict).toBe('challenge');
      expect((await login('bob', victimsPhone, home)).body.verdict).toBe('challenge');
    });

    test('in an IP address lasts for the configured time', async () => {
      const first = await login('ann', victimsPhone, home);
      await asServer(`/v2/challenges/${first.body.challenge_id}/complete`);
      service.clock.advance(91 * dayMs);
      expect((await login('ann', victimsPhone, home)).body).toMatchObject({
        verdict: 'challenge',
        reasons: ['new_ip'],
      });
    });

    test('in an IPv6 address covers its /64', async () => {
      const first = await login('ann', victimsPhone, '2001:db8:1:2::1');
      await asServer(`/v2/challenges/${first.body.challenge_id}/complete`);
      expect((await login('ann', victimsPhone, '2001:db8:1:2:aaaa::9')).body.verdict).toBe('allow');
      expect((await login('ann', victimsPhone, '2001:db8:1:3::1')).body.verdict).toBe('challenge');
    });

    test('is passed on to an upgraded browser at a trusted IP address', async () => {
      const first = await login('ann', victimsPhone, home);
      await asServer(`/v2/challenges/${first.body.challenge_id}/complete`);
      const upgraded = fingerprintOf({
        seed: 'the phone of the victim',
        descriptor: 'mac157',
        changed: ['surface', 'gl'],
      });
      const { body } = await login('ann', upgraded, home);
      expect(body).toMatchObject({ verdict: 'allow', matched_by: 'facets', changed: ['gl', 'surface'] });
      expect(body.fingerprint_id).toBe(first.body.fingerprint_id);
    });

    test('is not gained by a fingerprint that was only recognised, however often it was allowed at a trusted IP address', async () => {
      project = await service.newProject({ address_change: 'allow' });
      const first = await login('ann', victimsPhone, home);
      await asServer(`/v2/challenges/${first.body.challenge_id}/complete`);
      const alike = fingerprintOf({ seed: 'the phone of the victim', descriptor: 'mac157', changed: ['surface'] });
      for (let times = 0; times < 2; times++) {
        expect((await login('ann', alike, home)).body).toMatchObject({ verdict: 'allow', reasons: [] });
      }
      expect((await login('ann', victimsPhone, elsewhere)).body.verdict).toBe('allow');
      expect((await login('ann', alike, elsewhere)).body).toMatchObject({
        verdict: 'challenge',
        reasons: ['new_device', 'new_ip'],
      });
    });

    test('is unaffected by devices with a pending challenge: they do not count for concurrency', async () => {
      await signUp('ann', victimsPhone, home);
      for (const at of [1, 2, 3]) {
        const { body } = await login('ann', fingerprintOf({ seed: `stranger ${at}` }), `192.0.2.${at}`);
        expect(body.reasons).not.toContain('concurrency');
      }
      expect((await login('ann', victimsPhone, home)).body).toMatchObject({ verdict: 'allow', reasons: [] });
      expect((await service.events(project)).map(({ type }) => type)).not.toContain('account_sharing.signal');
    });

    test('is given to the first device by an allowed sign-up', async () => {
      await signUp('ann', victimsPhone, home);
      expect((await login('ann', victimsPhone, home)).body).toMatchObject({ verdict: 'allow', reasons: [] });
    });

    test("is learned in the learning period, even if the user's first attempt was challenged for another reason", async () => {
      project = await service.newProject({ learning_days: 7 });
      const spoofed = fingerprintOf({ seed: 'spoofed', integrity: ['proxied_function'] });
      expect((await login('ann', spoofed, home)).body.verdict).toBe('challenge_and_restrict');
      expect((await login('ann', victimsPhone, home)).body.verdict).toBe('allow');
      expect((await login('ann', strangersLaptop, home)).body.verdict).toBe('challenge');
    });

    test('ends when the device is detached', async () => {
      const { body } = await signUp('ann', victimsPhone, home);
      await asServer(`/v2/device/${body.device_id}/detach`);
      expect((await login('ann', victimsPhone, home)).body.verdict).toBe('challenge');
    });
  });
});
