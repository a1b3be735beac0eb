import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listPartitions, moveDatabase, type OpenDatabase, openDatabase } from '../../src/testing.js';
import { Clock } from '../support/clock.js';
import { customerOf, elsewhere, home, laptop, phone } from '../support/customer.js';
import { createDatabase, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { environmentFor, launch, runProcess } from '../support/process.js';
import { startService, type TestProject } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const USERS = 200;

describePostgresql('moving the embedded database to PostgreSQL', () => {
  let embedded: FreshDatabase;
  let target: FreshDatabase;
  let url: string;
  const clock = new Clock();
  beforeEach(async () => {
    embedded = await createDatabase('embedded');
    target = await createDatabase('postgresql', { empty: true });
    url = target.options.kind === 'postgresql' ? target.options.url : '';
  });
  afterEach(async () => {
    await embedded.drop();
    await target.drop();
  });

  /** Fills the embedded database through the API. Returns the project. */
  async function fill(): Promise<TestProject> {
    const service = await startService({ database: 'embedded', on: embedded, clock });
    const project = await service.newProject({ address_trust_days: 90 });
    const customer = customerOf(service, project);
    const device = (id: string) => ({ fingerprint: fingerprintOf({ seed: id }), trusted: true });
    const ids = Array.from({ length: USERS }, (_, at) => `user ${at}`);
    await customer.ask('/v2/user/import', {
      users: ids.map((id) => ({ id, metadata: { 'naïve "text"': 'a\\b\n{},', none: false }, devices: [device(id)] })),
    });
    const { id, code } = await customer.sendCode('ada', { metadata: { total: 1e21, small: 0.1 } });
    await customer.ask(`/v2/challenges/${id}/verify`, { code });
    await customer.ask(`/v2/challenges/${id}/complete`);
    await customer.post('/v2/device/fingerprint', { fingerprint: laptop }, { 'Idempotency-Key': 'one' });
    await customer.challenge('bob', { fingerprint: phone, ip: elsewhere });
    const refused = await runProcess(['move', '--to', url], environmentFor(embedded.options));
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('stop it first') });
    await service.close();
    return project;
  }

  async function both<Result>(read: (database: OpenDatabase) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (const { options } of [embedded, target]) {
      const database = await openDatabase(options);
      results.push(await read(database).finally(() => database.close()));
    }
    return results;
  }

  test('continues after a kill, compares both, and keeps what the service knows', async () => {
    const project = await fill();
    const args = ['move', '--to', url, '--batch-rows', '5'];
    const first = await launch(args, environmentFor(embedded.options));
    await waitFor(() => first.stdout().includes('users: 5 of '), { what: 'the first users' });
    // From here on, the move cannot get beyond the evaluations.
    const blocker = new pg.Client(url);
    await blocker.connect();
    await blocker.query('begin; lock table evaluations in access exclusive mode');
    await waitFor(() => first.stdout().includes('crowds: '), { what: 'the last table before the evaluations' });
    expect((await first.end('SIGKILL')).stdout).not.toContain('Moved');
    await blocker.end();

    const used = await runProcess(['project', 'list'], environmentFor(target.options));
    expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('run "whorl-service move" again') });

    const second = await runProcess(args, environmentFor(embedded.options));
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).not.toContain('users: 5 of ');
    expect(second.stdout).toMatch(/^users: 202 of 202 rows$/m);
    expect(second.stdout).toMatch(/^Moved \d{3,} rows\. Both databases are equal\./m);

    const again = await runProcess(args, environmentFor(embedded.options));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('The PostgreSQL database is not empty') });

    const [before, after] = await both(structureOf);
    expect(after).toEqual(before);

    const service = await startService({ database: 'postgresql', on: target, clock });
    try {
      const customer = customerOf(service, project);
      const login = (more: object) =>
        customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: home, ...more });
      expect(await login({})).toMatchObject({ verdict: 'allow', reasons: [], matched_by: 'exact' });
      expect(await login({ ip: elsewhere })).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'] });
      const { body } = await customer.get('/v2/user/user%207/export');
      expect(body.user.metadata).toEqual({ 'naïve "text"': 'a\\b\n{},', none: false });
      expect((await customer.get('/v2/challenges')).body.total).toBe(3);
      expect((await service.events(project)).map(({ type }) => type)).toContain('challenge.completed');
      await customer.ask('/v2/user/ada/delete');
    } finally {
      await service.close();
    }
  });

  test('fails if the databases differ, and names the table', async () => {
    await fill();
    const move = async (report: (line: string) => void) => {
      const from = await openDatabase(embedded.options);
      const to = await openDatabase(target.options);
      await moveDatabase({ from: from.db, to: to.db, batchRows: 1000, report }).finally(async () => {
        await to.close();
        await from.close();
      });
    };
    const interrupted = move((line) => {
      if (line === 'Comparing projects') throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const database = await openDatabase(target.options);
    await sql`update users set revocations = 1 where external_id = 'user 7'`.execute(database.db);
    await database.close();
    await expect(move(() => undefined)).rejects.toThrow(
      /The table "users" differs after the move: 202 rows .* 202 rows/,
    );
  });

  test('refuses a folder without a database, and an address that is not of PostgreSQL', async () => {
    // The replica is one of the new database.
    const nowhere = await runProcess(['move', '--to', url], { DATABASE_REPLICA_URL: url });
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('contains no embedded database') });
    const { options } = embedded;
    const wrong = await runProcess(['move', '--to', 'mysql://ada:secret@host/db'], environmentFor(options));
    expect(wrong).toMatchObject({ code: 1, stderr: '--to must be an address that begins with postgresql://.\n' });
  });
});

/** Returns what a move must not lose. Sequences would need their positions copied. */
async function structureOf({ db }: OpenDatabase): Promise<unknown> {
  const { rows: constraints } = await sql`
    select conrelid::regclass::text as table, conname, convalidated, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    order by conrelid::regclass::text collate "C", conname collate "C"
  `.execute(db);
  const { rows: relations } = await sql`
    select relname, relkind from pg_class where relnamespace = 'public'::regnamespace order by relname collate "C"
  `.execute(db);
  expect(relations.filter((relation) => JSON.stringify(relation).includes('"S"'))).toEqual([]);
  return { constraints, relations, partitions: await listPartitions(db, 'evaluations') };
}
