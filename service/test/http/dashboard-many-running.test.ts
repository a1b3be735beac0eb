import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endUserTurns, lockUser, minuteMs, worldOf } from '../../src/testing.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describePostgresql } from '../support/databases.js';
import { confirmationIn, openManyRows as openWorld } from '../support/many-rows.js';
import { waitFor } from '../support/wait-for.js';

const users = ['ann', 'bob', 'cleo'];

// The embedded database has one connection, so that no page could be read while a transaction holds a user.
describePostgresql('an action on many rows, while other transactions hold users,', () => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop('postgresql');
  });
  afterAll(() => shop.close());

  /** Suspends three users. Runs `meanwhile` when the first is suspended and the second is held by another transaction. */
  async function suspendAll(meanwhile: (world: World, page: string) => Promise<void>) {
    const world = await openWorld(shop, users);
    const ids = world.people.map(({ id }) => id);
    const confirmed = confirmationIn(await world.preview('users', 'suspend', ids));
    const page = `/actions/${confirmed}`;
    const holder = await holdBob(world);
    await sql`select 1`.execute(holder.transaction);
    const acting = world.send('/actions', [...world.selectionOf('users', 'suspend', ids), ['confirmed', confirmed]]);
    try {
      await waitFor(async () => (await world.open(page)).text.includes('1 user '), { what: 'the first user' });
      await meanwhile(world, page);
    } finally {
      await holder.release();
      await acting;
    }
    expect((await acting).status).toBe(303);
    return { world, page, statuses: () => Promise.all(users.map(world.statusOf)) };
  }

  /** Begins a transaction whose next statement locks a user. */
  async function holdBob({ project }: World) {
    const { db } = shop.service;
    const transaction = await db.startTransaction().execute();
    await lockUser(transaction, await worldOf(db, project.project.id, 'live'), 'bob');
    const release = async () => {
      await transaction.rollback().execute();
      endUserTurns(transaction);
    };
    return { transaction, release };
  }

  test('says that it is still running, and cannot be undone until it has finished', async () => {
    const { world, page, statuses } = await suspendAll(async (running, path) => {
      const shown = await running.open(path);
      expect(shown.text).toMatch(/Changed so far 1 user .*Started .* by ines@example\.com.*It is still running\./);
      expect(shown.html).not.toContain('/undo"');
      expect((await running.undo(path)).status).toBe(303);
      expect((await running.open(path)).text).toContain(
        'It is still running, and can be undone when it has finished. Nothing was changed.',
      );
      expect(await running.statusOf('ann')).toBe('suspended');
    });
    expect((await world.open(page)).text).toMatch(/Changed 3 users .*Done .*Undo/);
    expect(await statuses()).toEqual(['suspended', 'suspended', 'suspended']);
    await world.undo(page);
    expect((await world.open(page)).text).toContain('It was undone.');
    expect(await statuses()).toEqual(['active', 'active', 'active']);
  });

  test('can be undone after its time limit, and then changes no more rows', async () => {
    const { world, page, statuses } = await suspendAll(async (running, path) => {
      shop.service.clock.advance(3 * minuteMs);
      expect((await running.open(path)).text).toMatch(
        /Changed 1 user .*Started .*It has not finished after 2 minutes.*Undo/,
      );
      await running.undo(path);
      expect((await running.open(path)).text).toContain('It was undone.');
    });
    expect(await statuses()).toEqual(['active', 'active', 'active']);
    expect((await world.open(page)).text).toMatch(/Changed 1 user .*Undone .* by ines@example\.com/);
  });

  test('is undone for the other users if one is busy, and then for that one', async () => {
    const world = await openWorld(shop, users);
    const ids = world.people.map(({ id }) => id);
    const page = await world.act('users', 'suspend', ids);
    // All that may wait for one user at once.
    const holders = [await holdBob(world), await holdBob(world)];
    try {
      await world.undo(page);
    } finally {
      for (const { release } of holders) await release();
    }
    expect((await world.open(page)).text).toContain('Some users are busy, and their rows were not undone. Try again.');
    expect(await Promise.all(users.map(world.statusOf))).toEqual(['active', 'suspended', 'active']);
    await world.undo(page);
    expect((await world.open(page)).text).toContain('It was undone.');
    expect(await Promise.all(users.map(world.statusOf))).toEqual(['active', 'active', 'active']);
  });
});

type World = Awaited<ReturnType<typeof openWorld>>;
