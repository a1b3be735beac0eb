import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  auditRetentionDays,
  beginChain,
  dayMs,
  exportAudit,
  readHead,
  removeOldRows,
  seeded,
  type Transaction,
  verifyAudit,
} from '../../src/testing.js';
import { auditChainOf } from '../support/audit-chain.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';

/** Enough for each way of tampering by itself. */
const rowCount = 2000;
/** Entries of a log in which many are changed at once: more than are read in one statement. */
const bigCounts = { postgresql: 20_000, embedded: 5_000 };

describeDatabases('the chain of the audit log', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());

  const { verify, findAfter } = auditChainOf(() => service);

  /** Replaces the log by one of an earlier version, whose entries have no place in a chain, and begins the chain. */
  async function fill(count: number): Promise<void> {
    const now = service.clock.now();
    await sql`alter table audit_log disable trigger audit_log_is_append_only`.execute(service.db);
    await sql`delete from audit_log`.execute(service.db);
    await sql`delete from audit_head`.execute(service.db);
    await sql`alter table audit_log enable trigger audit_log_is_append_only`.execute(service.db);
    await sql`
      insert into audit_log (id, kind, actor, admin_id, mode, user_id, subject, network, changes, details, created_at)
      select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        (array['signed_in', 'settings_changed', 'block'])[1 + n % 3], 'administrator', gen_random_uuid(),
        case when n % 3 = 2 then 'live' end, case when n % 3 = 2 then gen_random_uuid() end,
        case when n % 3 = 2 then gen_random_uuid() end, '198.51.100.' || n % 256,
        case when n % 3 = 1 then jsonb_build_object('learning_days', jsonb_build_object('from', n, 'to', n + 1)) end,
        jsonb_build_object('n', n), ${now}::timestamptz - interval '1 second' * (${count}::int - n)
      from generate_series(1, ${count}::int - 1) as n`.execute(service.db);
    await beginChain(service.service);
  }

  const random = seeded(30);

  describe('of some entries', () => {
    const pick = () => 2 + Math.floor(random() * (rowCount - 4));
    beforeAll(() => fill(rowCount));

    const change = (column: string, value: string) => (trx: Transaction) =>
      sql`update audit_log set ${sql.ref(column)} = ${sql.raw(value)} where seq = ${pick()}`.execute(trx);
    const tampering: Record<string, (trx: Transaction) => Promise<unknown>> = {
      'another kind': change('kind', "'signed_out'"),
      'another actor': change('actor', "'command line'"),
      'another account': change('admin_id', 'gen_random_uuid()'),
      'no account': change('admin_id', 'null'),
      'a project': change('project_id', 'gen_random_uuid()'),
      'another world': change('mode', "'test'"),
      'another network': change('network', "'203.0.113.1'"),
      'a network without a digit': change('network', 'left(network, -1)'),
      'other values': change('changes', `'{"learning_days":{"from":1,"to":2}}'`),
      'a null instead of no value': change('changes', `'null'`),
      'other details': change('details', `'{"n":0}'`),
      'details that differ by less than a number of JavaScript can tell': change(
        'details',
        `jsonb_set(details, '{n}', to_jsonb((details ->> 'n')::numeric + 0.00000000000000000001))`,
      ),
      'a microsecond later': change('created_at', "created_at + interval '1 microsecond'"),
      'a time without an end': change('created_at', "'infinity'"),
      'another ID': change('id', 'gen_random_uuid()'),
      'another hash': change('hash', "sha256('other')"),
      'no hash': change('hash', 'null'),
      'another user': change('user_id', 'gen_random_uuid()'),
      'another subject': change('subject', 'gen_random_uuid()'),
      'another commitment': change('about', "sha256('other')"),
      'another salt': change('salt', "sha256('other')"),
      'a removed entry': (trx) => trx.deleteFrom('audit_log').where('seq', '=', pick()).execute(),
      'removed entries': (trx) => {
        const from = pick();
        return trx
          .deleteFrom('audit_log')
          .where('seq', '>=', from)
          .where('seq', '<', from + 3)
          .execute();
      },
      'the first entry removed': (trx) => trx.deleteFrom('audit_log').where('seq', '=', 1).execute(),
      'the last entry removed': (trx) => trx.deleteFrom('audit_log').where('seq', '=', rowCount).execute(),
      'the second half removed': (trx) =>
        trx
          .deleteFrom('audit_log')
          .where('seq', '>', rowCount / 2)
          .execute(),
      'all entries removed': (trx) => trx.deleteFrom('audit_log').execute(),
      'all entries and the end removed': async (trx) => {
        await trx
          .updateTable('audit_head')
          .set({ seal: Buffer.from('other') })
          .execute();
        return trx.deleteFrom('audit_log').execute();
      },
      'an entry taken out of the chain': change('seq', 'null'),
      'an entry moved before the beginning': change('seq', '0'),
      'an entry moved behind the end': change('seq', '1000000'),
      'two entries in each other\u2019s place': async (trx) => {
        const [one, two] = [pick(), pick() + 1];
        await sql`update audit_log set seq = -1 where seq = ${one}`.execute(trx);
        await sql`update audit_log set seq = ${one} where seq = ${two}`.execute(trx);
        return sql`update audit_log set seq = ${two} where seq = -1`.execute(trx);
      },
      'an entry twice': async (trx) => {
        await sql`alter table audit_log drop constraint audit_log_seq_key`.execute(trx);
        const seq = pick();
        return sql`
          insert into audit_log (seq, id, kind, actor, details, created_at, hash)
          select seq, gen_random_uuid(), kind, actor, details, created_at, hash from audit_log where seq = ${seq}`.execute(
          trx,
        );
      },
      'an entry of somebody else at the end, with a right hash': (trx) =>
        sql`
        insert into audit_log (seq, id, kind, actor, details, created_at, hash)
        select seq + 1, gen_random_uuid(), kind, actor, details, created_at, sha256(hash || 'x') from audit_log
        where seq = ${rowCount}`.execute(trx),
      'another end': (trx) =>
        trx
          .updateTable('audit_head')
          .set({ seal: Buffer.from('other') })
          .execute(),
      'no end': (trx) => trx.deleteFrom('audit_head').execute(),
    };

    test('is unbroken', async () => {
      const { entries, problems, head } = await verify();
      expect([entries, problems, head?.seq]).toEqual([rowCount, [], rowCount]);
    });

    test.each(Object.entries(tampering))('shows %s', async (_, tamper) => {
      expect(await findAfter(tamper)).not.toEqual([]);
    });

    test('shows a log that was written anew from the middle, because only the service can seal its end', async () => {
      const problems = await findAfter(async (trx) => {
        await sql`update audit_log set kind = 'signed_out' where seq = ${rowCount}`.execute(trx);
        // The hash is not secret: anybody can compute it.
        await sql`
          update audit_log l set hash = sha256(p.hash || convert_to(jsonb_build_array(l.seq, l.id, l.kind, l.actor,
            l.admin_id, l.project_id, l.mode, l.network, l.changes::text, l.details::text,
            trunc(extract(epoch from l.created_at) * 1000000), encode(l.about, 'hex'))::text, 'UTF8'))
          from audit_log p where l.seq = ${rowCount} and p.seq = l.seq - 1`.execute(trx);
      });
      expect(problems).toEqual([`Entry ${rowCount}, the last one, is not the one that was written.`]);
    });

    test('is checked against an end that was kept elsewhere', async () => {
      const head = await readHead(service.service);
      if (!head) throw new Error('There is no end');
      const right = await verifyAudit(service.db, service.service, [head]);
      expect(right.problems).toEqual([]);
      const other = { seq: head.seq - 1, hash: head.hash };
      const wrong = await verifyAudit(service.db, service.service, [other, { ...head, seq: head.seq + 1 }]);
      expect(wrong.problems).toHaveLength(2);
    });

    test('is exported with what each hash covers', async () => {
      const { createHash } = await import('node:crypto');
      let previous = Buffer.alloc(32);
      let count = 0;
      for await (const line of exportAudit(service.db)) {
        const { content, hash, seq } = JSON.parse(line);
        const expected = createHash('sha256').update(previous).update(content).digest();
        count += 1;
        if (expected.toString('hex') !== hash || seq !== count) throw new Error(`Entry ${seq} is not as exported`);
        previous = expected;
      }
      expect(count).toBe(rowCount);
    });
  });

  describe('of many entries', () => {
    const bigCount = bigCounts[kind];
    beforeAll(() => fill(bigCount));

    test('is unbroken', async () => {
      const { entries, problems, head } = await verify();
      expect([entries, problems, head?.seq]).toEqual([bigCount, [], bigCount]);
    });

    test('shows each changed, removed and exchanged entry', async () => {
      // One entry in each hundred, so that no two are neighbours.
      const places = Array.from({ length: bigCount / 100 - 2 }, (_, at) => 100 * (at + 1) + Math.floor(random() * 90));
      const inTurn = (which: number) => places.filter((_, at) => at % 3 === which);
      const [changed, removed, exchanged] = [inTurn(0), inTurn(1), inTurn(2)];
      const problems = await findAfter(async (trx) => {
        await sql`update audit_log set network = '203.0.113.1' where seq = any(${changed})`.execute(trx);
        await sql`delete from audit_log where seq = any(${removed})`.execute(trx);
        await sql`update audit_log set seq = -seq where seq = any(${exchanged})`.execute(trx);
        await sql`update audit_log set seq = seq - 1 where seq = any(${exchanged.map((seq) => seq + 1)})`.execute(trx);
        await sql`update audit_log set seq = 1 - seq where seq < 0`.execute(trx);
      });
      const named = new Set(problems.map((problem) => Number(/\d+/.exec(problem)?.[0])));
      expect(places.filter((seq) => !named.has(seq))).toEqual([]);
    });

    test('still begins where old entries were deleted', async () => {
      // The entries are a second apart.
      service.clock.advance(auditRetentionDays * dayMs - 360 * bigCount);
      await removeOldRows(service.service);
      const { entries, problems } = await verify();
      expect(problems).toEqual([]);
      expect(entries).toBeLessThan(bigCount);
      expect(entries).toBeGreaterThan(0.3 * bigCount);
      const moved = await findAfter((trx) =>
        sql`update audit_log set seq = 1 where seq = ${bigCount - 5}`.execute(trx),
      );
      expect(moved).toContain('1 entries are not part of the chain.');
    });
  });
});
