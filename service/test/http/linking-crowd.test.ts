import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { elsewhere, home, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { holdKey, provingCustomerOf } from '../support/proof.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const seed = 'a common phone';
const phone = fingerprintOf({ seed, descriptor: 'maw18' });
const updated = fingerprintOf({ seed, descriptor: 'maw19', changed: ['surface', 'gl'] });
/** Travel, another monitor and dark mode at once: too much for the facets alone. */
const settings = ['screen', 'timezone', 'preferences'] as const;
const moved = fingerprintOf({ seed, descriptor: 'maw18', changed: settings });
const otherHardware = fingerprintOf({ seed, descriptor: 'maw18', changed: ['cpu', 'memory', 'gpu'] });

describeDatabases('linking in a crowd', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: ReturnType<typeof provingCustomerOf>;

  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = provingCustomerOf(service, project);
  });

  const login = (user: string, fingerprint: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint, ip: home, ...more });
  /** Counts so many devices in the project that any fingerprint may have look-alikes. */
  async function fillProject(): Promise<void> {
    await login('someone', fingerprintOf({ seed: 'someone' }));
    await sql`
      update crowds set devices = 100000000
      where hardware_key = '' and world_id in (select id from worlds where project_id = ${project.project.id})
    `.execute(service.db);
  }

  describe('a proven key', () => {
    test('finds its device when three settings changed at once, also of another user', async () => {
      const key = await holdKey();
      const { fingerprint_id } = await customer.logInByCode('ann', key, { fingerprint: phone });
      for (const user of ['ann', 'bob']) {
        const found = await customer.logIn(user, key, { fingerprint: moved, ip: elsewhere });
        expect(found, user).toMatchObject({ fingerprint_id, matched_by: user === 'ann' ? 'key' : 'exact' });
      }
      expect(
        await login('eve', fingerprintOf({ seed, descriptor: 'maw18', changed: settings.slice(1) })),
      ).toMatchObject({
        matched_by: expect.stringMatching(/facets|new/),
      });
    });

    test('decides before an equal fingerprint of another device', async () => {
      await fillProject();
      const [first, second] = [await holdKey(), await holdKey()];
      const ann = await customer.logInByCode('ann', first, { fingerprint: phone });
      const bob = await customer.logInByCode('bob', second, { fingerprint: updated });
      expect(bob.fingerprint_id).not.toBe(ann.fingerprint_id);
      const found = await customer.logIn('bob', second, { fingerprint: phone });
      expect(found).toMatchObject({ fingerprint_id: bob.fingerprint_id, matched_by: 'key' });
      const other = await customer.logIn('eve', first, { fingerprint: updated });
      expect(other.fingerprint_id).toBe(ann.fingerprint_id);
    });

    test('does not outweigh other hardware, as of a copied profile', async () => {
      const key = await holdKey();
      const { fingerprint_id } = await customer.logInByCode('ann', key, { fingerprint: phone });
      const copied = await customer.logIn('ann', key, { fingerprint: otherHardware });
      expect(copied).toMatchObject({ matched_by: 'new', verdict: 'challenge' });
      expect(copied.fingerprint_id).not.toBe(fingerprint_id);
    });
  });

  describe('a look-alike', () => {
    test('of another user has an identity of its own, which its user keeps', async () => {
      await fillProject();
      const ann = await login('ann', phone);
      const bob = await login('bob', phone);
      expect(bob).toMatchObject({ matched_by: 'new', verdict: 'challenge' });
      expect(bob.fingerprint_id).not.toBe(ann.fingerprint_id);
      expect(await login('bob', phone)).toMatchObject({ fingerprint_id: bob.fingerprint_id, matched_by: 'exact' });
      expect(await login('ann', phone)).toMatchObject({ fingerprint_id: ann.fingerprint_id, matched_by: 'exact' });
      for (const user of ['ann', 'bob']) {
        const expected = user === 'ann' ? ann.fingerprint_id : bob.fingerprint_id;
        expect((await login(user, updated)).fingerprint_id, user).toBe(expected);
      }
      expect((await customer.get('/v2/user/bob/devices')).body).toMatchObject({ total: 1 });
    });

    test('is found by a claim of its own user', async () => {
      await fillProject();
      await login('ann', phone);
      const { fingerprint_id, challenge_id } = await login('bob', phone);
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      expect(await customer.claim('bob', { fingerprint: phone })).toMatchObject({ fingerprint_id });
    });

    test('in a small project is taken for the same device, and its user is challenged', async () => {
      const { fingerprint_id } = await login('ann', phone);
      expect(await login('bob', phone)).toMatchObject({ fingerprint_id, matched_by: 'exact', verdict: 'challenge' });
    });

    test('does not become one with the other by a copied saved fingerprint', async () => {
      await fillProject();
      const ann = await login('ann', phone);
      const copied = await login('bob', moved, { last_fingerprint: phone });
      expect(copied).toMatchObject({ matched_by: 'new' });
      const bob = await login('bob', phone, { last_fingerprint: moved });
      const again = await login('bob', moved, { last_fingerprint: phone });
      expect([bob.fingerprint_id, again.fingerprint_id]).not.toContain(ann.fingerprint_id);
      expect((await login('ann', phone)).fingerprint_id).toBe(ann.fingerprint_id);
      const merges = await sql`select from identity_merges where into_identity = ${ann.fingerprint_id}`.execute(
        service.db,
      );
      expect(merges.rows).toEqual([]);
    });
  });

  test('a backup that was restored on a second device does not merge the two', async () => {
    const first = await login('ann', phone);
    const second = await login('ann', otherHardware, { last_fingerprint: phone });
    expect(second.fingerprint_id).not.toBe(first.fingerprint_id);
    expect(await login('ann', phone, { last_fingerprint: otherHardware })).toMatchObject({
      fingerprint_id: first.fingerprint_id,
      matched_by: 'exact',
    });
    expect((await customer.get('/v2/user/ann/devices')).body).toMatchObject({ total: 2 });
  });

  test('two browsers of one user stay two devices, and each is found after an update', async () => {
    await fillProject();
    const firefox = { seed: 'firefox', descriptor: 'dlf128' };
    const chromium = { seed: 'chromium', descriptor: 'dlc156' };
    const known = [await login('ann', fingerprintOf(firefox)), await login('ann', fingerprintOf(chromium))];
    const found = [
      await login('ann', fingerprintOf({ ...firefox, descriptor: 'dlf129', changed: ['surface', ...settings] })),
      await login('ann', fingerprintOf({ ...chromium, descriptor: 'dlc157', changed: ['surface', ...settings] })),
    ];
    expect(found.map(({ fingerprint_id }) => fingerprint_id)).toEqual(
      known.map(({ fingerprint_id }) => fingerprint_id),
    );
    expect(found.map(({ matched_by }) => matched_by)).toEqual(['facets', 'facets']);
  });
});
