import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { compact } from '../../src/testing.js';
import { type Customer, customerOf, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases, isDistributed } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** Texts that occur nowhere else in the files. */
const random = randomBytes(8).toString('hex');
const erased = {
  externalId: `account-${random}`,
  email: `mail.${random}@example.com`,
  phone: '+4917012345678',
  userMetadata: `user-marker-${random}`,
  deviceMetadata: `device-marker-${random}`,
  evaluationMetadata: `evaluation-marker-${random}`,
  note: `note-${random}`,
  ip: '2001:db8:7a3b:91c4:1f2e:3d4c:5b6a:7988',
  idempotencyKey: `key-${random}`,
};
const kept = { externalId: `keeper-${random}`, userMetadata: `keeper-marker-${random}` };

/** After the steps of docs/erasure.md, the database's files contain no data of an erased user. */
describeDatabases('erasure', (kind) => {
  let folder: string;
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-erasure-'));
    const environment = kind === 'embedded' ? { DATA_FOLDER: folder } : {};
    service = await startService({ database: kind, environment });
    project = await service.newProject({
      allowed_origins: [origin],
      device_limit: { overall: 1 },
      mail_new_device: true,
      mail_contact_changed: true,
    });
    customer = customerOf(service, project);
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  // With Citus, the rows are in the files of the workers, where the steps are the same.
  test.skipIf(kind === 'postgresql' && isDistributed())(
    'removes the user from the files and keeps other data',
    async () => {
      await plant();
      const sealed = await sealedValues();
      await flush();
      const before = await search({ ...erased, ...sealed });
      // The search finds plain texts. Contacts are sealed and never found.
      expect(before).toEqual(
        expect.arrayContaining(['externalId', 'userMetadata', 'deviceMetadata', 'note', 'ip', ...Object.keys(sealed)]),
      );
      expect(before).not.toContain('email');
      expect(before).not.toContain('phone');

      await customer.ask(`/v2/user/${erased.externalId}/delete`);
      await purge();
      expect(await search({ ...erased, ...sealed })).toEqual([]);
      expect(await search(kept)).toEqual(Object.keys(kept));
    },
  );

  /** Creates data of the user everywhere the service stores any. */
  async function plant(): Promise<void> {
    const { externalId: user, email, phone: number, ip } = erased;
    const keeper = { user: kept.externalId, fingerprint: phone, ip: '192.0.2.1' };
    await customer.ask('/v2/device/attach', keeper);
    await customer.ask(`/v2/user/${kept.externalId}/update`, { metadata: { marker: kept.userMetadata } });
    const request = { action: 'login', user, fingerprint: laptop, ip, email, phone: number };
    const evaluation = await customer.post(
      '/v2/device/evaluate',
      { ...request, metadata: { marker: erased.evaluationMetadata } },
      { 'Idempotency-Key': erased.idempotencyKey },
    );
    const { evaluation_id, device_id, challenge_id } = evaluation.body;
    await customer.ask(`/v2/evaluations/${evaluation_id}/feedback`, { label: 'fraud', note: erased.note });
    await customer.ask(`/v2/user/${user}/update`, { metadata: { marker: erased.userMetadata } });
    await customer.ask(`/v2/device/${device_id}/metadata`, { metadata: { marker: erased.deviceMetadata } });
    await customer.ask(`/v2/challenges/${challenge_id}/send`, { channel: 'email' });
    await customer.ask(`/v2/challenges/${challenge_id}/verify`, { code: service.outbox.at(-1)?.code });
    await customer.ask(`/v2/challenges/${challenge_id}/complete`);
    await customer.ask(`/v2/user/${user}/update`, { email: `new.${email}` });
    await customer.claim(user, { email, phone: number, fingerprint: 'a claimed device' });
    await customer.evaluate({ ...keeper, action: 'referral', metadata: { referrer: user } });
    // The event about a sharer who signs up also names the user of the shared account.
    const sharer = { fingerprint: 'a second device, over the limit', ip: '192.0.2.2' };
    await customer.evaluate({ ...request, ...sharer });
    await customer.evaluate({ ...sharer, action: 'signup', user: `${kept.externalId}-2` });
    expect((await service.events(project)).map(({ type }) => type)).toContain('user.converted');
    await sql`analyze`.execute(service.db);
  }

  /** Returns the encrypted and hashed values as stored. They disappear with their rows. */
  async function sealedValues(): Promise<Record<string, Buffer>> {
    const { db } = service;
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('external_id', '=', erased.externalId)
      .executeTakeFirstOrThrow();
    const challenge = await db
      .selectFrom('challenges')
      .select('code_hash')
      .where('code_hash', 'is not', null)
      .executeTakeFirstOrThrow();
    const evaluation = await db
      .selectFrom('evaluations')
      .select('request')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    const notices = await db.selectFrom('notices').selectAll().where('user_id', '=', user.id).execute();
    expect(notices.map(({ kind }) => kind).sort()).toEqual(['contact_changed', 'new_device']);
    const answer = await db.selectFrom('idempotency').select('response').executeTakeFirstOrThrow();
    const values = {
      emailBytes: user.email,
      emailMark: user.email_mark,
      phoneBytes: user.phone,
      formerEmailBytes: user.former_email,
      replacedEmailBytes: notices.find(({ replaced_email }) => replaced_email)?.replaced_email,
      codeHash: challenge.code_hash,
      request: evaluation.request,
      response: answer.response,
    };
    return Object.fromEntries(Object.entries(values).map(([name, bytes]) => [name, Buffer.from(bytes ?? [])]));
  }

  /** Writes everything to disk. */
  async function flush(): Promise<void> {
    await sql`checkpoint`.execute(service.db);
  }

  /** The steps of docs/erasure.md. */
  async function purge(): Promise<void> {
    // Deleted rows are kept while an older transaction is open, such as those of the queue or autovacuum.
    await vi.waitFor(async () => expect(await openTransactions()).toEqual([]), { timeout: 60_000, interval: 100 });
    // Also one of another database of the server, because every snapshot begins with the oldest transaction of all.
    const deletion = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(service.db);
    const haveOlderEnded = async () => {
      const { rows } = await sql<{ passed: boolean }>`
        select pg_snapshot_xmin(pg_current_snapshot()) > ${deletion.rows[0]?.id}::text::xid8 as passed
      `.execute(service.db);
      return rows[0]?.passed;
    };
    await vi.waitFor(async () => expect(await haveOlderEnded()).toBe(true), { timeout: 60_000, interval: 100 });
    expect(await compact(service.db)).toBe(kind === 'embedded');
    if (kind === 'embedded') return;
    await sql`select pg_switch_wal()`.execute(service.db);
    await sql`checkpoint`.execute(service.db);
  }

  async function openTransactions(): Promise<unknown[]> {
    const { rows } = await sql`
      select state, backend_type, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and (backend_xmin is not null or backend_xid is not null or state like 'idle in transaction%')
    `.execute(service.db);
    return rows;
  }

  async function search(needles: Record<string, string | Buffer>): Promise<string[]> {
    const found = new Set<string>();
    for (const file of await filesIn(await dataFolder())) {
      // Files of other databases may be deleted meanwhile.
      const content = await readFile(file).catch(() => Buffer.alloc(0));
      for (const [name, needle] of Object.entries(needles)) if (content.includes(needle)) found.add(name);
    }
    return Object.keys(needles).filter((name) => found.has(name));
  }

  async function dataFolder(): Promise<string> {
    if (kind === 'embedded') return folder;
    const { rows } = await sql<{ data_directory: string }>`show data_directory`.execute(service.db);
    return rows[0]?.data_directory ?? '';
  }
});

/** Ignores folders of other databases that are deleted meanwhile. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}
