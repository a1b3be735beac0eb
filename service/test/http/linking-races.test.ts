import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Customer, customerOf } from '../support/customer.js';
import { describePostgresql } from '../support/databases.js';
import { fingerprintOf, hideFromLinking } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const seed = 'one laptop';
const variants = ['gl', 'surface', 'timezone', 'media'] as const;
/** One laptop in four states, each an update of another. */
const fingerprints = variants.map((_, index) => fingerprintOf({ seed, changed: variants.slice(0, index) }));
const [first = '', second = '', third = '', fourth = ''] = fingerprints;

/** Concurrent merges: identities become one, older IDs lead to it directly, and nothing deadlocks. */
describePostgresql('concurrent merges', () => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;

  beforeAll(async () => {
    service = await startService({ database: 'postgresql' });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    customer = customerOf(service, project);
  });

  const see = (fingerprint: string, last_fingerprint?: string) =>
    customer.ask('/v2/device/fingerprint', { fingerprint, last_fingerprint });

  /** Stores each state as its own identity, as if none was a candidate when the others were seen. */
  async function split(): Promise<string[]> {
    const ids: string[] = [];
    for (const fingerprint of fingerprints) {
      ids.push((await see(fingerprint)).fingerprint_id);
      await hideFromLinking(service.db);
    }
    expect(new Set(ids).size).toBe(fingerprints.length);
    return ids;
  }

  const seenNow = async () =>
    new Set(await Promise.all(fingerprints.map(async (one) => (await see(one)).fingerprint_id)));

  test('in a chain, one after the other, lead directly to the oldest', async () => {
    const [oldest = '', ...younger] = await split();
    await see(fourth, third);
    await see(third, second);
    await see(second, first);
    expect(await seenNow()).toEqual(new Set([oldest]));
    const rows = await service.db
      .selectFrom('identities')
      .select(['id', 'merged_into'])
      .where('id', 'in', younger)
      .execute();
    expect(rows.map(({ merged_into }) => merged_into)).toEqual([oldest, oldest, oldest]);
  });

  test('in a ring, concurrent and repeated, end as one', async () => {
    const [oldest = ''] = await split();
    const ring = fingerprints.map((one, index) => [one, fingerprints[(index + 1) % fingerprints.length]] as const);
    // A merge that would have to wait is left to the browser's next visit.
    for (let round = 0; round < fingerprints.length; round++) {
      await Promise.all(ring.flatMap(([one, other]) => [see(one, other), see(other ?? '', one)]));
    }
    expect(await seenNow()).toEqual(new Set([oldest]));
    const merges = await service.db.selectFrom('identity_merges').select('from_identity').execute();
    expect(new Set(merges.map(({ from_identity }) => from_identity)).size).toBe(merges.length);
  });

  test('with new users of both identities leave no device behind', async () => {
    const [oldest = ''] = await split();
    const ask = (action: string, index: number) =>
      customer.evaluate({
        action,
        user: `user ${index}`,
        fingerprint: index % 2 ? first : second,
        ip: `198.51.100.${index}`,
      });
    const users = Array.from({ length: 6 }, (_, index) => index);
    const signed = await Promise.all([
      ...users.map((index) => ask('signup', index)),
      see(second, first),
      see(second, first),
    ]);
    // In either order, a user who signed up with one of them has their device there now.
    for (const index of users) {
      const again = await ask('login', index);
      expect(
        again.verdict,
        JSON.stringify([
          again,
          signed,
          await service.db
            .selectFrom('devices')
            .select(['id', 'identity_id', 'trusted', 'status', 'variant_id'])
            .execute(),
          await service.db.selectFrom('device_variants').selectAll().execute(),
          await service.db.selectFrom('identity_merges').selectAll().execute(),
        ]),
      ).toBe('allow');
    }
    const rows = await service.db
      .selectFrom('devices')
      .innerJoin('identities', 'identities.id', 'devices.identity_id')
      .select('identities.merged_into')
      .where('devices.merged_into', 'is', null)
      .where('identities.id', 'in', [oldest, (await see(second)).fingerprint_id])
      .execute();
    expect(rows).toHaveLength(users.length);
    expect(rows.every(({ merged_into }) => merged_into === null)).toBe(true);
  });
});
