import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPartitions,
  createWebhookClient,
  dayMs,
  dropPartitions,
  installationTables,
  jobHandlers,
  listPartitions,
  partitionedTables,
  removeOldRows,
  replay,
  resealAll,
  type Schema,
  worldOf,
  worldTables,
} from '../../src/testing.js';
import { customerOf, home, laptop, phone } from '../support/customer.js';
import { openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases, describePostgresql } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { recordStatements, unfilteredTables } from '../support/statements.js';
import { webhooksOf } from '../support/webhooks.js';

/** What Citus appends to the name of a part of a table. */
const shardSuffix = '_[0-9]{6,}$';

describeDatabases('the schema', (kind) => {
  let service: TestService;
  let db: Kysely<Schema>;
  beforeAll(async () => {
    service = await startService({ database: kind });
    db = service.db;
  });
  afterAll(() => service.close());

  test('lists each table as a world table or an installation table', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'kysely%'
      order by name
    `.execute(db);
    const listed = [...worldTables, ...Object.keys(installationTables)].sort();
    expect(rows.map(({ name }) => name)).toEqual(listed);
  });

  test('starts each key, unique constraint, foreign key and index of a world table with world_id', async () => {
    const { rows: constraints } = await sql<{ table: string; name: string; column: string; kind: string }>`
      select c.relname as table, k.conname as name, k.contype as kind, a.attname as column
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
      where k.contype in ('p', 'u', 'f') and not c.relispartition
    `.execute(db);
    const { rows: indexes } = await sql<{ table: string; name: string; column: string; kind: string }>`
      select c.relname as table, i.relname as name, 'i' as kind, a.attname as column
      from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
      where not c.relispartition
    `.execute(db);
    const ofWorlds = [...constraints, ...indexes].filter(({ table }) => worldTables.some((name) => name === table));
    expect(ofWorlds.filter(({ column }) => column !== 'world_id')).toEqual([]);
    const withPrimaryKey = ofWorlds.filter(({ kind: type }) => type === 'p').map(({ table }) => table);
    expect(withPrimaryKey.sort()).toEqual([...worldTables].sort());
  });

  test("rejects a row that refers to another world's row", async () => {
    const { live, other } = await twoWorlds();
    const user = await addUser(live);
    const address = { network: '192.0.2.1', seen_at: new Date() };
    await db
      .insertInto('user_addresses')
      .values({ ...address, world_id: live, user_id: user })
      .execute();
    const stray = db
      .insertInto('user_addresses')
      .values({ ...address, world_id: other, user_id: user })
      .execute();
    await expect(stray).rejects.toMatchObject({ code: '23503' });
    const event = { id: v7(), type: 'device.detached', data: '{}', created_at: new Date() };
    const strayEvent = db
      .insertInto('events')
      .values({ ...event, world_id: other, user_id: user })
      .execute();
    await expect(strayEvent).rejects.toMatchObject({ code: '23503' });
  });

  test('has partitions for this month and the next two after the start', async () => {
    for (const table of partitionedTables) {
      const names = await listPartitions(db, table);
      const months = [0, 1, 2].map((ahead) => monthAfter(service.clock.now(), ahead));
      expect(names).toEqual([...months.map((month) => `${table}_${month}`), `${table}_default`]);
    }
  });

  test('creates future partitions, moves rows into them, and drops old months', async () => {
    const { live } = await twoWorlds();
    const user = await addUser(live);
    const ahead = new Date(Date.UTC(2031, 4, 15));
    const past = new Date(Date.UTC(2001, 4, 15));
    const [early, late] = [await addEvent(live, user, past), await addEvent(live, user, ahead)];
    expect(await partitionOf(early)).toBe('events_default');
    expect(await partitionOf(late)).toBe('events_default');
    await createPartitions(db, ahead);
    await createPartitions(db, ahead);
    expect(await partitionOf(late)).toBe('events_2031_05');
    const found = await db.selectFrom('events').select('id').where('world_id', '=', live).orderBy('id').execute();
    expect(found).toEqual([{ id: early }, { id: late }]);
    // New partitions, like their table, keep no statistics about personal data.
    const { rows } = await sql<{ kept: boolean }>`
      select attstattarget is distinct from 0 as kept from pg_attribute
      where attrelid = 'events_2031_05'::regclass and attname = 'data'
    `.execute(db);
    expect(rows).toEqual([{ kept: false }]);
    // The month that contains the limit is kept.
    expect(await dropPartitions(db, 'events', new Date(Date.UTC(2031, 5, 30)))).toContain('events_2031_05');
    expect(await listPartitions(db, 'events')).toContain('events_2031_06');
    expect(await db.selectFrom('events').select('id').where('world_id', '=', live).execute()).toEqual([{ id: early }]);
  });

  async function twoWorlds(): Promise<{ live: string; other: string }> {
    const { project } = await service.newProject();
    const worlds = await db.selectFrom('worlds').selectAll().where('project_id', '=', project.id).execute();
    const idOf = (mode: string) => worlds.find((world) => world.mode === mode)?.id ?? '';
    return { live: idOf('live'), other: idOf('test') };
  }

  async function addUser(worldId: string): Promise<string> {
    const id = v7();
    const now = new Date();
    await db
      .insertInto('users')
      .values({
        id,
        world_id: worldId,
        external_id: id,
        metadata: '{}',
        status: 'active',
        created_at: now,
        updated_at: now,
      })
      .execute();
    return id;
  }

  async function addEvent(worldId: string, userId: string, at: Date): Promise<string> {
    const id = v7({ msecs: at.getTime() });
    const values = { id, world_id: worldId, user_id: userId, type: 'device.detached', data: '{}', created_at: at };
    await db.insertInto('events').values(values).execute();
    return id;
  }

  async function partitionOf(id: string): Promise<string | undefined> {
    const { rows } = await sql<{ name: string }>`
      select regexp_replace(tableoid::regclass::text, ${shardSuffix}, '') as name from events where id = ${id}
    `.execute(db);
    return rows[0]?.name;
  }
});

describeDatabases('retention', (kind) => {
  test('drops months of evaluations that no project keeps, and deletes older rows of the others', async () => {
    const service = await startService({ database: kind });
    const customer = customerOf(service, await service.newProject());
    await service.db.updateTable('projects').set({ settings: '{"retention_days":30}' }).execute();
    const evaluate = () => customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: home });
    await evaluate();
    const first = monthAfter(service.clock.now(), 0);
    service.clock.advance(75 * dayMs);
    await evaluate();
    await removeOldRows(service.service);
    await jobHandlers(service.service).create_partitions({});
    const names = await listPartitions(service.db, 'evaluations');
    expect(names).not.toContain(`evaluations_${first}`);
    expect(names).toContain(`evaluations_${monthAfter(service.clock.now(), 2)}`);
    expect(await service.db.selectFrom('evaluations').select('external_user').execute()).toHaveLength(1);
    await service.close();
  });
});

function monthAfter(moment: Date, ahead: number): string {
  const start = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead));
  return start.toISOString().slice(0, 7).replace('-', '_');
}

describePostgresql('statements', () => {
  test('filter each world table by world_id', async () => {
    const shop = await openDashboardShop('postgresql');
    const { service, customer, project } = shop;
    const texts = recordStatements();
    await customer.ask('/v2/user/import', { users: [{ id: 'imported', devices: [{ fingerprint: laptop }] }] });
    await shop.attach('ada');
    const { id, code } = await customer.sendCode('ada', { fingerprint: phone });
    await customer.ask(`/v2/challenges/${id}/open`);
    await customer.ask(`/v2/challenges/${id}/verify`, { code });
    await customer.ask(`/v2/challenges/${id}/complete`);
    await customer.get('/v2/challenges');
    const claim = await customer.claim('ada');
    await customer.ask(`/v2/evaluations/${claim.evaluation_id}/consume`, { user: 'ada', action: 'login' });
    await customer.post('/v2/device/evaluate', { action: 'signup', user: 'ben', fingerprint: laptop, ip: home }, key);
    const own = { ...service.service, webhooks: createWebhookClient({ allowPrivate: true }) };
    const webhooks = webhooksOf(own, project);
    const { id: endpoint } = await webhooks.add('http://127.0.0.1:9/');
    await webhooks.emit(2);
    await webhooks.deliver();
    await webhooks.list();
    await webhooks.attempts(endpoint);
    await replay(own, webhooks.choose(endpoint), { from: new Date(0), delivered: true });
    const adaId = await shop.userIdOf('ada');
    const devices = (await customer.get('/v2/user/ada/devices')).body.data;
    await customer.ask(`/v2/device/${devices[0]._id}/metadata`, { metadata: { desk: '4' } });
    const pages = ['', '/users', `/users/${adaId}`, '/users?query=192.0.2.1', '/devices', `/devices/${devices[0]._id}`];
    for (const page of [...pages, '/evaluations', '/challenges', `/challenges/${id}`, '/webhooks'])
      await shop.open(page);
    await customer.ask(`/v2/device/${devices[0]._id}/detach`);
    await customer.get('/v2/user/ada/export');
    const handlers = jobHandlers(service.service);
    for (const name of ['expire_challenges', 'detach_idle_devices', 'remove_old_rows', 'remove_old_claims'] as const) {
      await handlers[name]({});
    }
    await handlers.fold_activity({});
    await handlers.report_sharing({ worldId: await worldOf(service.db, project.project.id, 'live'), userId: adaId });
    await customer.ask('/v2/user/ada/update', { status: 'suspended' });
    await customer.ask('/v2/user/ada/delete');
    await resealAll(service.service);
    await shop.close();
    expect(texts.size).toBeGreaterThan(100);
    const wrong = [...texts].flatMap((text) => unfilteredTables(text).map((table) => `${table}: ${text}`));
    expect(wrong).toEqual([]);
  });

  const key = { 'Idempotency-Key': 'once' };
});
