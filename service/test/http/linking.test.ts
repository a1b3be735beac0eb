import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf, hideFromLinking } from '../support/fingerprints.js';
import { type ApiAnswer, startService, type TestProject, type TestService } from '../support/service.js';

const seed = 'the laptop of ann';
const laptop = fingerprintOf({ seed });
const upgraded = fingerprintOf({ seed, descriptor: 'dlc157', changed: ['surface'] });
const hardware = ['engine', 'platform', 'cpu', 'memory', 'gpu', 'touch'] as const;
const software = ['gl', 'raster', 'text', 'audio', 'fonts', 'metrics', 'media', 'maths', 'surface'] as const;
const setting = ['screen', 'input', 'locale', 'timezone', 'preferences'] as const;

describeDatabases('linking', (kind) => {
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

  const see = (fingerprint: string, last_fingerprint?: string) =>
    customer.ask('/v2/device/fingerprint', { fingerprint, last_fingerprint });
  /** Evaluates from a page, with the publishable key. */
  async function claim(fingerprint: string, last_fingerprint?: string): Promise<ApiAnswer['body']> {
    const key = project.keys.live.publishable;
    const body = { fingerprint, last_fingerprint };
    return (await service.api('/v2/device/fingerprint', { key, body, headers: { Origin: origin } })).body;
  }
  const login = (user: string, fingerprint: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint, ip: home, ...more });
  async function trust(user: string, fingerprint: string): Promise<ApiAnswer['body']> {
    const evaluation = await login(user, fingerprint);
    await customer.ask(`/v2/challenges/${evaluation.challenge_id}/complete`);
    return evaluation;
  }

  describe('without a user and without a last fingerprint', () => {
    test.each([
      ['a browser update', { descriptor: 'dlc157', changed: ['surface', 'gl'] }],
      ['a GPU that became unreadable', { missing: ['gpu'] }],
    ] as const)('finds a device after %s', async (_, change) => {
      const known = await see(laptop);
      const found = await see(fingerprintOf({ seed, ...change }));
      expect(found).toMatchObject({ fingerprint_id: known.fingerprint_id, matched_by: 'facets' });
      expect(found.confidence).toBeGreaterThan(0.5);
      expect([...found.changed].sort()).toEqual([...('changed' in change ? change.changed : [])].sort());
    });

    test('does not find a device after travel, unless its user is known', async () => {
      const travelled = fingerprintOf({ seed, changed: ['timezone'] });
      const { fingerprint_id } = await login('ann', laptop);
      expect(await login('ann', travelled)).toMatchObject({ fingerprint_id, matched_by: 'facets' });
      await see(fingerprintOf({ seed: 'another' }));
      expect(await see(fingerprintOf({ seed: 'another', changed: ['timezone'] }))).toMatchObject({ matched_by: 'new' });
    });

    test('stores every variant, with a confidence for exact matches that depends on their facets', async () => {
      const known = await see(laptop);
      await see(upgraded);
      const [back, poor] = [await see(laptop), fingerprintOf({ seed, missing: [...software, ...setting.slice(1)] })];
      await see(poor);
      expect(back).toMatchObject({ fingerprint_id: known.fingerprint_id, matched_by: 'exact', changed: [] });
      expect(back.confidence).toBeGreaterThan(0.9);
      // Seven facets. Every device of the model shares six of them.
      expect((await see(poor)).confidence).toBeLessThan(0.5);
    });
  });

  describe('an attack', () => {
    test('by a saved fingerprint on unreadable hardware gains no more than any string', async () => {
      const victim = await see(laptop);
      const hidden = fingerprintOf({ seed: 'a stranger', missing: hardware });
      expect(await see(hidden, laptop)).toMatchObject({ matched_by: 'new' });
      expect((await see(hidden, laptop)).fingerprint_id).not.toBe(victim.fingerprint_id);
    });

    test('by random strings creates separate identities', async () => {
      await see(laptop);
      const strange = ['x', 'w1.dlc156', laptop.slice(0, -1), randomUUID()];
      const seen = [];
      for (const text of strange) seen.push(await see(text, laptop));
      expect(seen.map(({ matched_by }) => matched_by)).toEqual(strange.map(() => 'new'));
      expect(new Set(seen.map(({ fingerprint_id }) => fingerprint_id)).size).toBe(strange.length);
      expect(await see('x')).toMatchObject({ matched_by: 'exact' });
    });

    test('by unreadable facets matches nothing, not even itself', async () => {
      await see(laptop);
      const nothing = fingerprintOf({ seed, missing: [...hardware, ...software, ...setting] });
      const [one, other] = [await see(nothing, laptop), await see(nothing, laptop)];
      expect([one.matched_by, other.matched_by]).toEqual(['new', 'new']);
      expect(one.fingerprint_id).not.toBe(other.fingerprint_id);
      expect((await login('ann', nothing)).reasons).toContain('unreadable_fingerprint');
    });

    test('by a fingerprint mixed from several devices matches none of them', async () => {
      const seeds = ['one', 'two', 'three'];
      for (const each of seeds) await see(fingerprintOf({ seed: each }));
      const groups = seeds.map((each) => fingerprintOf({ seed: each }).split('.'));
      for (const [index, each] of seeds.entries()) {
        const of = (group: number) => groups[(index + group) % 3]?.[group];
        const mixed = ['w1', 'dlc156', of(2), of(3), of(4), 'AAAA'].join('.');
        expect(await see(mixed, fingerprintOf({ seed: each })), each).toMatchObject({ matched_by: 'new' });
      }
    });

    test('by claims adds no candidates', async () => {
      const claimed = await claim(laptop);
      const honest = await see(upgraded);
      expect(honest).toMatchObject({ matched_by: 'new' });
      expect(honest.fingerprint_id).not.toBe(claimed.fingerprint_id);
    });

    test('by a complete copy is recognised, but not trusted', async () => {
      await trust('ann', laptop);
      const copied = await login('ann', laptop, { ip: elsewhere });
      expect(copied).toMatchObject({ matched_by: 'exact', verdict: 'challenge' });
    });

    test('by many variants is limited per identity, and removes no variant that a device uses', async () => {
      const { fingerprint_id } = await trust('ann', laptop);
      await flood(service, fingerprint_id, 199);
      const next = await see(upgraded, laptop);
      expect(next.matched_by).toBe('new');
      service.clock.advance(11 * minuteMs);
      const later = fingerprintOf({ seed, descriptor: 'dlc157', changed: ['gl'] });
      expect(await see(later, laptop)).toMatchObject({ fingerprint_id, matched_by: 'last' });
      expect(await variantsOf(service, fingerprint_id)).toBe(200);
      expect(await login('ann', laptop)).toMatchObject({ matched_by: 'exact', verdict: 'allow' });
    });

    test('by many claims takes no place in the identity and reveals nothing about it', async () => {
      const { fingerprint_id } = await see(laptop);
      const states = ['gl', 'media', 'timezone', 'audio', 'maths', 'locale'] as const;
      for (const state of states) {
        const claimed = await claim(fingerprintOf({ seed, changed: [state] }), laptop);
        expect(claimed).toEqual({ fingerprint_id: expect.any(String) });
        expect(claimed.fingerprint_id).not.toBe(fingerprint_id);
      }
      expect(await variantsOf(service, fingerprint_id)).toBe(1);
    });
  });

  describe('a browser version that goes backwards', () => {
    test('reduces the weight of a saved fingerprint', async () => {
      const { fingerprint_id } = await see(upgraded);
      // So much has changed that only the saved fingerprint matches: with a newer version it is recognised, with an
      // older one it is not.
      const changed = ['fonts', 'screen', 'locale', 'timezone'] as const;
      const forwards = await see(fingerprintOf({ seed, descriptor: 'dlc158', changed }), upgraded);
      const backwards = await see(fingerprintOf({ seed, descriptor: 'dlc120', changed: [...changed, 'gl'] }), upgraded);
      expect(forwards).toMatchObject({ fingerprint_id, matched_by: 'last' });
      expect(backwards.matched_by).not.toBe('last');
    });
  });

  describe('one browser stored as two identities', () => {
    async function split(): Promise<{ older: string; younger: string }> {
      const { fingerprint_id: older } = await see(laptop);
      await hideFromLinking(service.db);
      service.clock.advance(1000);
      const { fingerprint_id: younger } = await see(upgraded);
      expect(younger).not.toBe(older);
      await see(laptop);
      return { older, younger };
    }

    test('is merged into the older one, with a record of it', async () => {
      const { older, younger } = await split();
      const merged = await see(upgraded, laptop);
      expect(merged).toMatchObject({ fingerprint_id: older, matched_by: 'exact' });
      expect(await see(upgraded)).toMatchObject({ fingerprint_id: older });
      const history = await service.db
        .selectFrom('identity_merges')
        .selectAll()
        .where('into_identity', '=', older)
        .execute();
      expect(history).toMatchObject([{ from_identity: younger, cause: 'last' }]);
      expect(history[0]?.confidence).toBeGreaterThan(0.99);
    });

    test('keeps the trust of each fingerprint with its user, and accepts all older IDs', async () => {
      const { older, younger } = await split();
      const first = await trust('ann', laptop);
      const second = await trust('ann', upgraded);
      expect([first.fingerprint_id, second.fingerprint_id]).toEqual([older, younger]);
      const merging = await login('ann', upgraded, { last_fingerprint: laptop });
      expect(merging).toMatchObject({
        fingerprint_id: older,
        verdict: 'allow',
        reasons: [],
        device_id: first.device_id,
      });
      expect(await login('ann', laptop)).toMatchObject({ verdict: 'allow', reasons: [], device_id: first.device_id });
      const devices = await customer.get('/v2/user/ann/devices');
      expect(devices.body).toMatchObject({ total: 1, data: [{ _id: first.device_id, fingerprint_id: older }] });
      const record = await customer.get(`/v2/evaluations/${second.evaluation_id}`);
      expect(record.body).toMatchObject({ fingerprint_id: older, device_id: first.device_id });
      const renamed = await customer.ask(`/v2/device/${second.device_id}/metadata`, { metadata: { name: 'laptop' } });
      expect(renamed).toMatchObject({ _id: first.device_id, metadata: { name: 'laptop' } });
      const history = await customer.get(`/v2/proj/access-history?device=${first.device_id}`);
      expect(history.body.total).toBe(4);
      await customer.ask(`/v2/device/${second.device_id}/update`, { status: 'blocked' });
      expect((await login('ann', laptop)).verdict).toBe('deny');
    });

    test('gives no device additional trust', async () => {
      const { younger } = await split();
      await trust('ann', laptop);
      await login('ann', upgraded);
      const kept = await login('ann', upgraded, { last_fingerprint: laptop });
      expect(kept).toMatchObject({ fingerprint_id: younger, verdict: 'challenge' });
    });

    test('is not merged by another user with a device of only one of them', async () => {
      const { older } = await split();
      await trust('ann', laptop);
      await trust('mallory', upgraded);
      const { fingerprint_id } = await login('mallory', upgraded, { last_fingerprint: laptop });
      expect(fingerprint_id).not.toBe(older);
    });

    test('is not merged by claims', async () => {
      const { older } = await split();
      expect((await claim(upgraded, laptop)).fingerprint_id).not.toBe(older);
    });
  });
});

/** Inserts variants of an identity, like many unrelated strings would. */
async function flood({ db, clock }: TestService, identityId: string, count: number): Promise<void> {
  const { world_id } = await db
    .selectFrom('identities')
    .selectAll()
    .where('id', '=', identityId)
    .executeTakeFirstOrThrow();
  const at = clock.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    world_id,
    identity_id: identityId,
    digest: createHash('sha256').update(`${identityId} ${index}`).digest(),
    fingerprint: fingerprintOf({ seed: `flood ${index}` }),
    first_seen_at: at,
    last_seen_at: at,
  }));
  await db.insertInto('variants').values(rows).execute();
}

async function variantsOf({ db }: TestService, identityId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from variants where identity_id = ${identityId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}
