import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../src/testing.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const home = '198.51.100.7';

/** Runs the five use cases of docs/uses/ as a customer's server. */
describeDatabases('use cases', (kind) => {
  let service: TestService;
  let project: TestProject;

  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ admin_email: 'admin@shop.example' });
  });

  const ask = (path: string, body?: object) => service.api(path, { key: project.keys.live.secret, body });
  const evaluate = async (action: string, user: string, fingerprint: string, more: object = {}) =>
    (await ask('/v2/device/evaluate', { action, user, fingerprint, ip: home, ...more })).body;
  const eventTypes = async () => (await service.events(project)).map(({ type }) => type);

  test('account takeover: somebody with the password but without the device needs the code', async () => {
    await evaluate('signup', 'ann', laptop, { email: 'ann@example.com' });
    expect(await evaluate('login', 'ann', laptop)).toMatchObject({ verdict: 'allow', reasons: [] });

    const thief = await evaluate('login', 'ann', phone, { ip: '203.0.113.9' });
    expect(thief).toMatchObject({ verdict: 'challenge', reasons: ['new_device', 'new_ip', 'high_risk'] });
    await ask(`/v2/challenges/${thief.challenge_id}/send`);
    const guess = await ask(`/v2/challenges/${thief.challenge_id}/verify`, { code: '000000' });
    expect(guess.body.success).toBe(service.outbox.at(-1)?.code === '000000');
    const refused = await ask(`/v2/challenges/${thief.challenge_id}/complete`);
    expect(refused.body.code).toBe('challenge_not_verified');

    const owner = await evaluate('login', 'ann', phone, { ip: '203.0.113.10' });
    await ask(`/v2/challenges/${owner.challenge_id}/send`);
    const { code } = service.outbox.at(-1) ?? {};
    expect((await ask(`/v2/challenges/${owner.challenge_id}/verify`, { code })).body).toEqual({ success: true });
    expect((await ask(`/v2/challenges/${owner.challenge_id}/complete`)).body).toEqual({ success: true });
    const again = await evaluate('login', 'ann', phone, { ip: '203.0.113.10' });
    expect(again).toMatchObject({ verdict: 'allow', reasons: [] });
  });

  test('account sharing: the sixth device of an account is challenged, and can replace another', async () => {
    await evaluate('signup', 'ann', laptop, { email: 'ann@example.com' });
    for (const seed of ['2', '3', '4', '5']) {
      await ask('/v2/device/attach', { user: 'ann', fingerprint: fingerprintOf({ seed }) });
    }
    const sixth = await evaluate('login', 'ann', phone);
    expect(sixth.verdict).toBe('challenge');
    expect(sixth.reasons).toContain('limit_exceeded');
    const challenge = await service.api(`/v2/challenges/${sixth.challenge_id}`, { key: project.keys.live.secret });
    expect(challenge.body.limit).toMatchObject({ is_exceeded: true, overall: 5, desktop: 5, mobile: 0 });
    expect(await eventTypes()).toContain('account_sharing.signal');

    await ask(`/v2/challenges/${sixth.challenge_id}/send`);
    await ask(`/v2/challenges/${sixth.challenge_id}/verify`, { code: service.outbox.at(-1)?.code });
    const devices = await service.api(`/v2/challenges/${sixth.challenge_id}/devices`, {
      key: project.keys.live.secret,
    });
    expect(devices.body.data).toHaveLength(5);
    const kicked = await ask(`/v2/challenges/${sixth.challenge_id}/kick`, { device: devices.body.data[0]._id });
    expect(kicked.body.device.status).toBe('detached');
    await ask(`/v2/challenges/${sixth.challenge_id}/complete`);
    expect(await evaluate('login', 'ann', phone)).toMatchObject({ verdict: 'allow' });
  });

  test('account sharing: three devices at three addresses within five minutes', async () => {
    await evaluate('signup', 'ann', laptop);
    for (const [index, seed] of ['2', '3'].entries()) {
      const ip = `203.0.113.${index + 1}`;
      const { challenge_id } = await evaluate('login', 'ann', fingerprintOf({ seed }), { ip });
      await ask(`/v2/challenges/${challenge_id}/complete`);
      service.clock.advance(minuteMs);
    }
    const third = await evaluate('login', 'ann', fingerprintOf({ seed: '4' }), { ip: '203.0.113.20' });
    expect(third.reasons).toContain('concurrency');
    service.clock.advance(hourMs);
    const later = await evaluate('login', 'ann', laptop);
    expect(later.reasons).not.toContain('concurrency');
  });

  test('account sharing: a sharer who signs up is reported as converted', async () => {
    await evaluate('signup', 'ann', laptop);
    await ask('/v2/device/attach', { user: 'ann', fingerprint: fingerprintOf({ seed: '2' }) });
    for (const seed of ['3', '4', '5'])
      await ask('/v2/device/attach', { user: 'ann', fingerprint: fingerprintOf({ seed }) });
    const shared = await evaluate('login', 'ann', phone, { ip: '203.0.113.9' });
    expect(shared.reasons).toContain('limit_exceeded');
    await evaluate('signup', 'bob', phone, { ip: '203.0.113.9' });
    const converted = (await service.events(project)).find(({ type }) => type === 'user.converted');
    expect(converted?.data).toMatchObject({ user: { external_id: 'bob' }, from_user: { external_id: 'ann' } });
  });

  test('multiple accounts: the second account of one device at one address is restricted', async () => {
    await evaluate('signup', 'ann', laptop);
    const second = await evaluate('signup', 'ann2', laptop);
    expect(second).toMatchObject({ verdict: 'restrict' });
    expect(second.reasons).toContain('multiple_accounts');
  });

  test('referral fraud: a self-referral is restricted, even with other contacts', async () => {
    await evaluate('signup', 'ann', laptop, { email: 'ann@gmail.com' });
    const other = await evaluate('referral', 'ann-again', laptop, { metadata: { referrer: 'ann' } });
    expect(other.verdict).toBe('restrict');
    expect(other.reasons).toContain('self_referral');
    const friend = await evaluate('referral', 'bob', phone, { ip: '203.0.113.9', metadata: { referrer: 'ann' } });
    expect(friend.reasons).not.toContain('self_referral');
  });

  test('fake accounts: disposable email restricts, and with an automated browser is denied', async () => {
    const mail = { email: 'someone@mailinator.com' };
    expect(await evaluate('signup', 'fake', laptop, mail)).toMatchObject({ verdict: 'restrict' });
    const bot = fingerprintOf({ seed: 'bot', integrity: ['webdriver'] });
    const driven = await evaluate('signup', 'fake2', bot, { ...mail, ip: '203.0.113.9' });
    expect(driven).toMatchObject({ verdict: 'deny' });
    const devices = await service.api('/v2/user/fake2/devices', { key: project.keys.live.secret });
    expect(devices.status).toBe(404);
  });

  test('fake accounts: an eleventh account per day from one device', async () => {
    const verdicts = [];
    for (let account = 1; account <= 11; account++) {
      verdicts.push((await evaluate('signup', `fake${account}`, laptop)).reasons.includes('velocity'));
    }
    expect(verdicts).toEqual([...Array(10).fill(false), true]);
  });
});
