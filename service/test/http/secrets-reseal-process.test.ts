import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resealAll } from '../../src/testing.js';
import { callApi } from '../support/api.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { createDatabase, describeDatabases, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { environmentFor, type Finished, launch, runProcess, startProcess } from '../support/process.js';
import {
  newPrefixes,
  newSecret,
  openRestartableService,
  type RestartableService,
  rotated,
} from '../support/rotation.js';
import type { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('the command line and the master secret', (kind) => {
  let fresh: FreshDatabase;
  beforeEach(async () => {
    fresh = await createDatabase(kind);
  });
  afterEach(() => fresh.drop());

  test('rejects a database of another secret, reseals it, and reports when the previous one can be removed', async () => {
    const location = environmentFor(fresh.options);
    await (await startProcess(location)).end('SIGTERM');
    // As in docs/operating.md: for an embedded database, the next start creates a new secret.
    const previous = location.WHORL_SECRET ?? (await takeSecretOf(fresh));
    const next = { ...location, ...(location.WHORL_SECRET !== undefined && { WHORL_SECRET: newSecret }) };
    const both = { ...next, WHORL_SECRET_PREVIOUS: previous };
    expect(await runProcess(['project', 'list'], next)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The database was sealed with another master secret: set WHORL_SECRET to that secret, or, to replace it, WHORL_SECRET_PREVIOUS.\n',
    });
    const started = await startProcess(both);
    await started.end('SIGTERM');
    expect(started.stdout()).toContain('run \\"whorl-service secrets reseal\\"');
    expect(await runProcess(['project', 'list'], next)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The database still holds values sealed with the master secret that was set on .* run "whorl-service secrets reseal"\.\n$/,
      ),
    });

    expect(await runProcess(['secrets', 'reseal'], both)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/rows resealed\n.*WHORL_SECRET_PREVIOUS can be removed\.\n$/s),
      stderr: '',
    });
    const again = await runProcess(['secrets', 'reseal'], both);
    expect(again.stdout).toMatch(/^Nothing to reseal\.\n/);
    const told = await startProcess(both);
    await told.end('SIGTERM');
    expect(told.stdout()).toContain('WHORL_SECRET_PREVIOUS can be removed');
    const last = await startProcess(next);
    expect(await last.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(last.stdout()).not.toContain('WHORL_SECRET_PREVIOUS');
  });
});

describePostgresql('resealing while the service runs', () => {
  const rows = 20_000;
  let restarted: RestartableService;
  let service: TestService;
  beforeEach(async () => {
    restarted = await openRestartableService('postgresql');
    service = await restarted.restart();
  });
  afterEach(() => restarted.close());

  const reseal = () => launch(['secrets', 'reseal'], { ...environmentFor(restarted.fresh.options), ...rotated });
  const countStale = async () => {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from evaluations where substring(request from 1 for 5) <> ${newPrefixes[1]}
    `.execute(service.db);
    return counted[0]?.count ?? 0;
  };

  test('continues where it was killed, without disturbing requests', async () => {
    const project = await service.newProject();
    const customer = customerOf(service, project);
    const request = { action: 'signup', user: 'ada', fingerprint: laptop, ip: home, email: 'ada@example.com' };
    await customer.evaluate(request);
    const { rows: columns } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'evaluations' and column_name <> 'id'
    `.execute(service.db);
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    await sql`
      insert into evaluations (id, ${names}) select gen_random_uuid(), ${names} from evaluations, generate_series(1, ${rows}::int)
    `.execute(service.db);
    service = await restarted.restart(rotated);
    const busy = keepEvaluating(service, project.keys.live.secret, request);

    const killed = await reseal();
    await waitFor(async () => (await countStale()) < rows, { what: 'the first page' });
    const finished: Finished = await killed.end('SIGKILL');
    expect(finished.code).toBeNull();
    expect(await countStale()).toBeGreaterThan(0);

    expect(await (await reseal()).finished).toMatchObject({ code: 0, stderr: '' });
    expect(await countStale()).toBe(0);
    const statuses = await busy.end();
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('does not wait for locks or overwrite concurrent changes', async () => {
    const customer = customerOf(service, await service.newProject());
    for (const user of ['ada', 'ben']) {
      await customer.ask('/v2/device/attach', { user, fingerprint: laptop, email: `${user}@example.com` });
    }
    service = await restarted.restart(rotated);
    const { db, vault } = service.service;
    const waits: number[] = [];
    let resealing: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      const changed = { email: vault.seal('new@example.com', 'user.email') };
      await trx.updateTable('users').set(changed).where('external_id', '=', 'ada').execute();
      resealing = resealAll(service.service, { onWait: (_, left) => waits.push(left) });
      await waitFor(() => waits.length > 0, { what: 'the row that is locked to be passed over' });
      const ben = await db
        .selectFrom('users')
        .select('email')
        .where('external_id', '=', 'ben')
        .executeTakeFirstOrThrow();
      expect(Buffer.from(ben.email ?? []).subarray(0, 5)).toEqual(newPrefixes[0]);
    });
    await resealing;
    const ada = await db.selectFrom('users').select('email').where('external_id', '=', 'ada').executeTakeFirstOrThrow();
    expect(vault.open(ada.email ?? Buffer.alloc(0), 'user.email')).toBe('new@example.com');
  });
});

/** Sends evaluations one after the other until stopped. Returns the status of each. */
function keepEvaluating({ url }: TestService, key: string, body: object): { end(): Promise<number[]> } {
  const statuses: number[] = [];
  let isOver = false;
  const run = async () => {
    while (!isOver) statuses.push((await callApi(url, '/v2/device/evaluate', { key, body })).status);
  };
  const running = run();
  return {
    async end() {
      isOver = true;
      await running;
      return statuses;
    },
  };
}

async function takeSecretOf({ options }: FreshDatabase): Promise<string> {
  const path = join(options.kind === 'embedded' ? options.folder : '', 'secret');
  const secret = await readFile(path, 'utf8');
  await rm(path);
  return secret;
}
