import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs, removeOldRows } from '../../src/testing.js';
import { elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { holdKey, type KeyHolder, provingCustomerOf } from '../support/proof.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** A stolen fingerprint is identical to the original. Only the key is missing. */
describeDatabases('proof of possession', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: ReturnType<typeof provingCustomerOf>;
  let own: KeyHolder;
  let foreign: KeyHolder;

  beforeAll(async () => {
    service = await startService({ database: kind });
    own = await holdKey();
    foreign = await holdKey();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = provingCustomerOf(service, project);
  });

  const deviceOf = async (user: string) => (await customer.get(`/v2/user/${user}/devices`)).body.data[0];
  const recordOf = async ({ evaluation_id }: { evaluation_id: string }) =>
    (await customer.get(`/v2/evaluations/${evaluation_id}`)).body;

  test('issues nonces for five minutes, to both kinds of key, without storing them', async () => {
    const before = service.clock.now().getTime();
    const { nonce, expires_at } = await customer.ask('/v2/device/nonce');
    expect(nonce).toMatch(/^[\w-]{40,}$/);
    expect(Date.parse(expires_at) - before).toBeGreaterThanOrEqual(299_000);
    expect(Date.parse(expires_at) - service.clock.now().getTime()).toBeLessThanOrEqual(300_000);
    expect(await customer.nonce()).not.toBe(nonce);
    const key = project.keys.live.publishable;
    const claimed = await service.api('/v2/device/nonce', { key, body: {}, headers: { Origin: origin } });
    expect(claimed).toMatchObject({ status: 200, body: { nonce: expect.any(String) } });
    expect(await service.db.selectFrom('spent_nonces').selectAll().execute()).toEqual([]);
  });

  test('lets a trusted device change its IP address', async () => {
    await customer.logInByCode('ann', own);
    expect(await deviceOf('ann')).toMatchObject({ trusted: true, proven: true });
    expect(await customer.logIn('ann', own, { ip: elsewhere })).toMatchObject({
      verdict: 'allow',
      reasons: ['new_ip'],
    });
  });

  test('challenges a copied fingerprint', async () => {
    await customer.logInByCode('ann', own);
    for (const thief of [null, foreign]) {
      const evaluation = await customer.logIn('ann', thief, { ip: elsewhere });
      expect(evaluation).toMatchObject({ verdict: 'challenge', reasons: ['new_ip', 'unproven_device'] });
    }
    // If the customer sends no IP address, nothing else can be noticed.
    const blind = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop });
    expect(blind).toMatchObject({ verdict: 'challenge', reasons: ['unproven_device'] });
    expect(await customer.logIn('ann', own, { ip: elsewhere })).toMatchObject({ verdict: 'allow' });
  });

  test('keeps the trust invariant: a user who completed a challenge at an address is not challenged there', async () => {
    await customer.logInByCode('ann', own);
    const evaluation = await customer.logIn('ann', null);
    expect(evaluation).toMatchObject({ verdict: 'allow', reasons: ['unproven_device'] });
  });

  test('is required again if the key was lost, or the profile or window is different; each key is then known', async () => {
    await customer.logInByCode('ann', own);
    await customer.logInByCode('ann', foreign, { ip: elsewhere });
    const { _id } = await deviceOf('ann');
    const keys = await service.db.selectFrom('device_keys').select('thumbprint').where('device_id', '=', _id).execute();
    expect(keys.map(({ thumbprint }) => thumbprint).sort()).toEqual([own.thumbprint, foreign.thumbprint].sort());
    for (const holder of [own, foreign]) {
      expect(await customer.logIn('ann', holder, { ip: '192.0.2.44' })).toMatchObject({ verdict: 'allow' });
    }
  });

  test('adds no key that somebody else proved while the challenge was open', async () => {
    const mine = await customer.logIn('ann', own);
    const theirs = await customer.logIn('ann', foreign);
    expect(theirs.challenge_id).not.toBe(mine.challenge_id);
    await customer.ask(`/v2/challenges/${mine.challenge_id}/complete`);
    const keys = await service.db
      .selectFrom('device_keys')
      .select('thumbprint')
      .where('device_id', '=', mine.device_id);
    expect(await keys.execute()).toEqual([{ thumbprint: own.thumbprint }]);
  });

  test('extends the trust of a device to a fingerprint that resembles its own', async () => {
    const resembling = fingerprintOf({ seed: 'laptop', changed: ['timezone'] });
    await customer.logInByCode('ann', own);
    const without = await customer.logIn('ann', null, { fingerprint: resembling, ip: elsewhere });
    expect(without.reasons).toEqual(['new_device', 'new_ip', 'unproven_device', 'high_risk']);
    const proven = await customer.logIn('ann', own, { fingerprint: resembling, ip: elsewhere });
    expect(proven).toMatchObject({ verdict: 'allow', reasons: ['new_ip'], device_id: without.device_id });
  });

  const refused: [outcome: string, how: () => Promise<string>][] = [
    ['malformed', async () => 'no proof at all'],
    ['malformed', async () => customer.proofOf(own, { header: { kid: foreign.thumbprint } })],
    ['malformed', async () => customer.proofOf(own, { header: { typ: 'JWT' } })],
    ['wrong_nonce', async () => customer.proofOf(own, { nonce: 'made-up' })],
    [
      'wrong_nonce',
      async () =>
        customer.proofOf(own, { nonce: await provingCustomerOf(service, await service.newProject()).nonce() }),
    ],
    [
      'wrong_nonce',
      async () => customer.proofOf(own, { nonce: await provingCustomerOf(service, project, 'test').nonce() }),
    ],
    ['wrong_origin', async () => customer.proofOf(own, { origin: 'https://shop.example.evil' })],
    ['wrong_fingerprint', async () => customer.proofOf(own, { fingerprint: phone })],
    ['wrong_time', async () => customer.proofOf(own, { iat: service.clock.now().getTime() / 1000 - 3600 })],
    [
      'expired',
      async () => {
        const proof = await customer.proofOf(own);
        service.clock.advance(301_000);
        return proof;
      },
    ],
    [
      'replayed',
      async () => {
        const proof = await customer.proofOf(own);
        await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: elsewhere, proof });
        return proof;
      },
    ],
  ];
  test('treats an invalid proof as absent, and says why', async () => {
    await customer.logInByCode('ann', own);
    for (const [outcome, make] of refused) {
      const request = { action: 'login', user: 'ann', fingerprint: laptop, ip: elsewhere, proof: await make() };
      const evaluation = await customer.evaluate(request);
      expect(evaluation, outcome).toMatchObject({ verdict: 'challenge', reasons: ['new_ip', 'unproven_device'] });
      const { proof, evidence } = await recordOf(evaluation);
      expect(proof).toBe(outcome);
      expect(evidence[1]).toMatchObject({ evidence: { proof: 'none', refused: outcome } });
    }
    expect(await recordOf(await customer.logIn('ann', own))).toMatchObject({ proof: 'valid' });
  });

  test('accepts a nonce once, even from concurrent requests', async () => {
    await customer.logInByCode('ann', own);
    const proof = await customer.proofOf(own);
    const ask = () => customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: elsewhere, proof });
    const evaluations = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(evaluations.filter(({ verdict }) => verdict === 'allow')).toHaveLength(1);
  });

  test('binds a key to a device on its first allowed use, by evaluation and attachment', async () => {
    await customer.logIn('ann', own, { action: 'signup' });
    expect(await deviceOf('ann')).toMatchObject({ proven: true });
    const request = { fingerprint: laptop, ip: home };
    await customer.ask('/v2/device/attach', { user: 'bob', ...request, proof: await customer.proofOf(own) });
    expect(await deviceOf('bob')).toMatchObject({ status: 'attached', proven: true });
    // Another key does not prevent what the customer vouches for, but gains nothing by it.
    await customer.ask('/v2/device/attach', { user: 'bob', ...request, proof: await customer.proofOf(foreign) });
    const stolen = await customer.logIn('bob', foreign, { ip: elsewhere });
    expect(stolen.reasons).toContain('unproven_device');
  });

  test('binds a key to a device that was trusted before keys existed only where it is trusted', async () => {
    await customer.logInByCode('ann', null);
    await customer.logIn('ann', foreign, { ip: elsewhere });
    expect(await deviceOf('ann')).toMatchObject({ trusted: true, proven: false });
    await customer.logIn('ann', own);
    expect(await deviceOf('ann')).toMatchObject({ proven: true });
    expect(await customer.logIn('ann', own, { ip: elsewhere })).toMatchObject({ verdict: 'allow' });
  });

  test('ends with the trust of a detached or blocked device', async () => {
    for (const [path, body] of [
      ['detach', undefined],
      ['update', { status: 'blocked' }],
    ] as const) {
      const user = `user to ${path}`;
      const { device_id } = await customer.logInByCode(user, own);
      await customer.ask(`/v2/device/${device_id}/${path}`, body);
      expect(await deviceOf(encodeURIComponent(user))).toMatchObject({ trusted: false, proven: false });
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'attached' });
      const evaluation = await customer.logIn(user, own, { ip: elsewhere });
      expect((await recordOf(evaluation)).evidence[0]).toMatchObject({ evidence: { proof: 'foreign' } });
    }
  });

  test('reveals several accounts of one browser, even with another fingerprint or after a detachment', async () => {
    const others = ['one', 'two', 'three'];
    for (const [index, user] of others.entries()) {
      const fingerprint = fingerprintOf({ seed: `spoofed ${index}` });
      const request = { action: 'signup', fingerprint, ip: `192.0.2.${index + 1}` };
      const { device_id } = await customer.logIn(user, own, request);
      await customer.ask(`/v2/device/${device_id}/detach`);
    }
    const fourth = await customer.logIn('four', own, { action: 'signup', ip: elsewhere });
    expect(fourth).toMatchObject({
      verdict: 'deny',
      reasons: ['new_device', 'new_ip', 'multiple_accounts', 'high_risk'],
    });
    const { evidence } = await recordOf(fourth);
    expect(evidence[2]).toMatchObject({ strength: 'proven', evidence: { others: { proven: 3 } } });
    const withoutKey = await customer.logIn('five', null, { action: 'signup', ip: '192.0.2.77' });
    expect(withoutKey.verdict).toBe('allow');
  });

  test('denies a self-referral', async () => {
    await customer.logIn('ann', own, { action: 'signup' });
    const fingerprint = fingerprintOf({ seed: 'another look' });
    const more = { action: 'referral', fingerprint, ip: elsewhere, metadata: { referrer: 'ann' } };
    expect(await customer.logIn('bob', own, more)).toMatchObject({ verdict: 'deny' });
    expect(await customer.logIn('bob', foreign, more)).toMatchObject({ verdict: 'allow' });
  });

  test('is not stored for a claim until it is consumed', async () => {
    const claim = async (holder: KeyHolder) =>
      customer.claim('ann', { action: 'signup', proof: await customer.proofOf(holder) });
    const keys = () => service.db.selectFrom('device_keys').select('thumbprint').execute();
    await service.db.deleteFrom('device_keys').execute();
    const { evaluation_id } = await claim(own);
    expect(await keys()).toEqual([]);
    await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ann', action: 'signup' });
    expect(await keys()).toEqual([{ thumbprint: own.thumbprint }]);
    expect(await deviceOf('ann')).toMatchObject({ proven: true });
    const challenged = await customer.claim('bob', { proof: await customer.proofOf(foreign) });
    await customer.ask(`/v2/challenges/${challenged.challenge_id}/complete`);
    expect(await deviceOf('bob')).toMatchObject({ trusted: true, proven: true });
    const again = await customer.claim('bob', { proof: await customer.proofOf(foreign) });
    expect(again.verdict).toBe('allow');
  });

  test('is contained in the export of a user, and erased with it', async () => {
    await customer.logInByCode('ann', own);
    const { devices } = (await customer.get('/v2/user/ann/export')).body;
    expect(devices[0].keys).toEqual([{ thumbprint: own.thumbprint, created_at: expect.any(String), revoked_at: null }]);
    await customer.ask('/v2/user/ann/delete');
    // Rows of other tests belong to other projects.
    const world = service.db
      .selectFrom('worlds')
      .select('id')
      .where('project_id', '=', project.project.id)
      .where('mode', '=', 'live');
    const left = await Promise.all([
      service.db.selectFrom('device_keys').select('thumbprint').where('world_id', 'in', world).execute(),
      service.db.selectFrom('challenges').select('key_thumbprint').where('world_id', 'in', world).execute(),
      service.db.selectFrom('evaluations').select('key_thumbprint').where('world_id', 'in', world).execute(),
    ]);
    expect(left.flat()).toEqual([]);
  });

  test('deletes spent nonces once they expired', async () => {
    await customer.logIn('ann', own);
    const spent = () => service.db.selectFrom('spent_nonces').select('nonce').execute();
    await removeOldRows(service.service);
    expect(await spent()).not.toEqual([]);
    service.clock.advance(2 * hourMs);
    await removeOldRows(service.service);
    expect(await spent()).toEqual([]);
  });
});
