import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Whorl, WhorlApiError, WhorlConnectionError } from 'whorl/server';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const ip = '198.51.100.7';
const origin = 'https://shop.example';
const unknownId = '01a1fc17-0a05-7795-9f61-ee4441132109';

/** Tests the server client against the real service. */
describeDatabases('the server client', (kind) => {
  let service: TestService;
  let project: TestProject;
  let whorl: Whorl;

  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
  });

  const signUp = (user: string, fingerprint = laptop) =>
    whorl.evaluate({ action: 'signup', user, fingerprint, ip, email: `${user}@example.com` });

  describe('a login', () => {
    test('is challenged, sent a code, verified and completed', async () => {
      await signUp('ann');
      const { verdict, challenge_id = '' } = await whorl.evaluate({
        action: 'login',
        user: 'ann',
        fingerprint: phone,
        ip,
      });
      expect(verdict).toBe('challenge');
      const opened = await whorl.challenges.open(challenge_id);
      expect(opened).toMatchObject({ _id: challenge_id, status: 'pending', channels: ['email'] });
      const sent = await whorl.challenges.send(challenge_id, { channel: 'email' });
      expect(sent).toMatchObject({ challenge_id, channel: 'email', sent_to: 'a***@e******.com' });
      const wrong = await whorl.challenges.verify(challenge_id, { code: 'no code' }).catch((error: unknown) => error);
      expect(wrong).toMatchObject({ success: false, attempts_remaining: 4 });
      const { code = '' } = service.outbox.at(-1) ?? {};
      expect(await whorl.challenges.verify(challenge_id, { code })).toEqual({ success: true });
      expect(await whorl.challenges.complete(challenge_id)).toEqual({ success: true });
      expect(await whorl.challenges.retrieve(challenge_id)).toMatchObject({ status: 'completed' });
      const again = await whorl.evaluate({ action: 'login', user: 'ann', fingerprint: phone, ip });
      expect(again).toMatchObject({ verdict: 'allow', reasons: [] });
    });

    test('can be skipped', async () => {
      const { challenge_id = '' } = await whorl.evaluate({ action: 'login', user: 'ann', fingerprint: phone, ip });
      expect(await whorl.challenges.skip(challenge_id)).toEqual({ success: true });
      await expect(whorl.challenges.send(challenge_id)).rejects.toMatchObject({
        code: 'challenge_closed',
        status: 409,
      });
    });

    test('through the browser verifies a token and consumes an evaluation', async () => {
      const { body } = await service.api('/v2/device/evaluate', {
        key: project.keys.live.publishable,
        body: { action: 'login', user: 'ann', fingerprint: laptop },
        headers: { Origin: origin },
      });
      const payload = await whorl.verifyToken(body.token, {
        audience: project.project.id,
        issuer: 'https://fraud.example',
        action: 'login',
        user: 'ann',
      });
      expect(payload).toMatchObject({
        jti: body.evaluation_id,
        verdict: 'challenge',
        fingerprint_id: body.fingerprint_id,
      });
      const consumed = await whorl.evaluations.consume(payload.jti, { user: 'ann', action: 'login' });
      expect(consumed).toMatchObject({ claimed: true, reasons: ['new_device', 'new_ip'] });
      expect(consumed.consumed_at).toBeDefined();
    });
  });

  describe('lists', () => {
    beforeEach(async () => {
      for (let index = 0; index < 12; index++) {
        await whorl.evaluate({ action: 'login', user: `user ${index}`, fingerprint: laptop, ip });
      }
    });

    test('of challenges can be read by page or completely, newest first', async () => {
      const page = await whorl.challenges.list({ limit: 5, page: 2 });
      expect(page).toMatchObject({ page: 2, limit: 5, total: 12 });
      const users: string[] = [];
      for await (const { user } of whorl.challenges.list({ limit: 5 })) users.push(user.external_id);
      expect(users).toEqual(Array.from({ length: 12 }, (_, index) => `user ${11 - index}`));
    });

    test('of accesses can be filtered by user and time', async () => {
      expect((await whorl.legacy.accessHistory({ user: 'user 3' })).data).toMatchObject([
        { action: 'login', verdict: 'challenge', ip },
      ]);
      expect((await whorl.legacy.accessHistory({ end_date: '2020-01-01' })).total).toBe(0);
    });
  });

  describe('devices and users', () => {
    test('are attached, listed, changed and detached', async () => {
      const { device_id, attached_devices, limit } = await whorl.devices.attach({ user: 'ann', fingerprint: laptop });
      expect([attached_devices, limit.desktop]).toEqual([1, 1]);
      expect(await whorl.devices.metadata(device_id, { metadata: { name: 'Work' } })).toMatchObject({
        metadata: { name: 'Work' },
      });
      expect(await whorl.devices.update(device_id, { whitelisted: true })).toMatchObject({ whitelisted: true });
      const devices = await whorl.users.devices('ann', { status: 'attached' });
      expect(devices.data.map(({ _id }) => _id)).toEqual([device_id]);
      expect(await whorl.devices.detach(device_id, { user: 'ann' })).toMatchObject({
        success: true,
        device: { status: 'detached' },
      });
      const legacy = await whorl.legacy.userDevices('ann');
      expect(legacy).toMatchObject([{ _id: device_id, status: 'detached', auto_detached: false }]);
    });

    test('are recognised without a user', async () => {
      const first = await whorl.devices.fingerprint({ fingerprint: laptop });
      expect(first).toMatchObject({ matched_by: 'new' });
      const upgraded = fingerprintOf({ seed: 'laptop', descriptor: 'dlc157', changed: ['surface'] });
      expect(await whorl.devices.fingerprint({ fingerprint: upgraded, last_fingerprint: laptop })).toMatchObject({
        fingerprint_id: first.fingerprint_id,
        matched_by: 'last',
        changed: ['surface'],
      });
    });

    test('are imported, with a separate timeout', async () => {
      const hasty = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url, timeoutMs: 1 });
      const users = [{ id: 'ann', trusted_addresses: [ip], devices: [{ fingerprint: laptop, trusted: true }] }];
      expect(await hasty.users.import({ users })).toEqual({ results: [{ id: 'ann', status: 'created' }] });
      const known = await whorl.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip });
      expect(known).toMatchObject({ verdict: 'allow', reasons: [] });
    });

    test('are updated, exported and erased', async () => {
      await signUp('ann');
      expect(await whorl.users.update('ann', { phone: '+14155550123' })).toMatchObject({
        phone: expect.stringMatching(/\*23$/),
      });
      expect(JSON.stringify(await whorl.users.export('ann'))).toContain('ann@example.com');
      expect(await whorl.users.delete('ann')).toEqual({ success: true });
      await expect(whorl.users.export('ann')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('evaluations', () => {
    test('are retrieved with their evidence, and labelled', async () => {
      const { evaluation_id } = await whorl.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip });
      expect(await whorl.evaluations.feedback(evaluation_id, { label: 'fraud', note: 'chargeback' })).toEqual({
        success: true,
      });
      const record = await whorl.evaluations.retrieve(evaluation_id);
      expect(record.evidence.map(({ reason }) => reason)).toEqual(['new_device', 'new_ip']);
      expect(record.feedback).toEqual({ label: 'fraud', note: 'chargeback' });
    });

    test('with the same idempotency key are processed once', async () => {
      const ask = () =>
        whorl.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip }, { idempotencyKey: 'login-1' });
      expect(await ask()).toEqual(await ask());
      expect((await whorl.legacy.accessHistory()).total).toBe(1);
    });
  });

  describe('errors', () => {
    test('contain the problem, the field and the request ID', async () => {
      const error = await whorl.challenges.retrieve(unknownId).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(WhorlApiError);
      expect(error).toMatchObject({ code: 'not_found', status: 404, requestId: expect.stringMatching(/./) });
      await expect(whorl.devices.attach({ user: '', fingerprint: laptop })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ path: 'user' }],
      });
      const stranger = new Whorl({ apiSecret: 'sk_live_wrong', baseUrl: service.url });
      await expect(stranger.challenges.list()).rejects.toMatchObject({ code: 'unauthorized' });
    });
  });

  test('reports that the service is unreachable, or falls back as configured', async () => {
    const away = await startService({ database: kind });
    const { url } = away;
    await away.close();
    const client = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: url, retries: 0 });
    const login = { action: 'login', user: 'ann', fingerprint: laptop } as const;
    await expect(client.evaluate(login)).rejects.toBeInstanceOf(WhorlConnectionError);
    expect(await client.evaluate(login, { whenUnavailable: 'allow' })).toMatchObject({
      verdict: 'allow',
      reasons: ['unavailable'],
      unavailable: true,
    });
  });
});
