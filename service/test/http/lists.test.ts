import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewListEntry } from 'whorl/wire';
import { createKey, dayMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin } from '../support/customer.js';
import { describeDatabases, isDistributed } from '../support/databases.js';
import { type ApiOptions, startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const path = '/v2/lists';
const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };
const block = (kind: NewListEntry['kind'], value: string): NewListEntry => ({ kind, value, effect: 'block' });

describeDatabases('lists', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let key: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin], hardware_id: true });
    customer = customerOf(service, project);
    key = await keyOf(project);
  });

  const keyOf = (
    { project: { id } }: TestProject,
    mode: 'live' | 'test' = 'live',
    scope: 'manage' | 'read' = 'manage',
  ) => createKey(service.service, { project: id, mode, kind: 'secret', scopes: [scope], changedBy: 'test' });
  const get = (query = '', own = key) => service.api(`${path}${query}`, { key: own });
  const add = (entries: unknown, options: ApiOptions = {}) =>
    service.api(path, { method: 'POST', key, body: { entries }, ...options });
  const end = (id: string, own = key) => service.api(`${path}/${id}`, { method: 'DELETE', key: own });
  const values = async (query = '') => (await get(query)).body.data.map(({ value }: { value: string }) => value);
  const log = () =>
    service.db
      .selectFrom('audit_log')
      .select(['kind', 'subject', 'details'])
      .where('kind', 'like', 'list_%')
      .orderBy('id')
      .execute();

  describe('entries', () => {
    test('are added in normal form, listed, and ended, with the audit log', async () => {
      const { status, body } = await add([{ ...block('address', ' 198.51.100.7/24 '), note: 'a <script>' }]);
      expect(status).toBe(200);
      const [entry] = body.entries;
      expect(entry).toMatchObject({ value: '198.51.100.0/24', effect: 'block', note: 'a <script>' });
      expect(entry.created_by).toMatch(/^key [\da-f-]{36}$/);
      expect((await get()).body).toMatchObject({ data: [entry], total: 1 });
      const ended = await end(entry._id);
      expect(ended.body).toMatchObject({ _id: entry._id, ended_by: entry.created_by });
      expect((await end(entry._id)).body).toEqual(ended.body);
      expect((await get()).body.total).toBe(0);
      const words = { subject: entry._id, details: { list: 'address', effect: 'block' } };
      expect((await log()).slice(-2)).toEqual([
        { kind: 'list_entries_added', ...words },
        { kind: 'list_entries_ended', ...words },
      ]);
    });

    test('are ended whatever body the request has', async () => {
      for (const body of ['[', 'none', 'x'.repeat(100_000)]) {
        const { _id } = (await add([block('user', 'ada')])).body.entries[0];
        const headers = { 'Content-Type': 'text/plain' };
        expect(await service.api(`${path}/${_id}`, { method: 'DELETE', key, body, headers })).toMatchObject({
          status: 200,
        });
      }
    });

    test('stay when they are added again, and are replaced by one with another effect, note or expiry', async () => {
      const first = (await add([block('user', 'ada')])).body.entries[0];
      const logged = (await log()).length;
      expect((await add([block('user', 'ada')])).body.entries).toEqual([first]);
      expect((await log()).length).toBe(logged);
      const second = (await add([{ ...block('user', 'ada'), effect: 'review' }])).body.entries[0];
      expect(second._id).not.toBe(first._id);
      expect((await get()).body.data).toEqual([second]);
    });

    test('are filtered by kind, effect and value, and paged', async () => {
      await add([block('country', 'de'), block('asn', 'AS64496'), { ...block('user', 'bob'), effect: 'allow' }]);
      expect(await values('?kind=country')).toEqual(['DE']);
      expect(await values('?effect=allow')).toEqual(['bob']);
      expect(await values('?kind=asn&value=AS64496')).toEqual(['64496']);
      expect((await get('?limit=2&page=2')).body).toMatchObject({ total: 3, page: 2, data: [{}] });
    });

    test('of the past are what the lists held at that time', async () => {
      const before = service.service.now().toISOString();
      service.clock.advance(1000);
      const { body } = await add([block('user', 'ada')]);
      service.clock.advance(1000);
      const between = service.service.now().toISOString();
      service.clock.advance(1000);
      await end(body.entries[0]._id);
      expect(await values(`?at=${before}`)).toEqual([]);
      expect(await values(`?at=${between}`)).toEqual(['ada']);
      expect(await values()).toEqual([]);
    });

    test.each([
      ['device', 'laptop', 'must be the ID of a device'],
      ['hardware', 'x', 'must be the ID of a hardware (`hardware_id`)'],
      ['user', 'a\u0007', 'must be an identifier of 1 to 256 characters, in one line'],
      ['address', '198.51.100.0/33', 'must be an address or a range such as 198.51.100.0/24'],
      ['address', '198.51.100', 'must be an address or a range such as 198.51.100.0/24'],
      ['address', 'fe80::1%eth0', 'must be an address or a range such as 198.51.100.0/24'],
      ['asn', '4294967296', 'must be the number of an autonomous system, such as 64496'],
      ['country', 'ZZZ', 'must be a country code such as DE (ISO 3166-1 alpha-2)'],
      ['email_domain', 'not a domain', 'must be a domain such as example.com'],
    ])('of the kind %s cannot be %s', async (each, value, message) => {
      const answer = await add([block('user', 'fine'), { kind: each, value, effect: 'block' }]);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'entries.1.value', message }] } });
      expect((await get()).body.total).toBe(0);
    });

    test('are refused if there are too many, none, twice the same, a long note, or an expiry in the past', async () => {
      const many = Array.from({ length: 1001 }, (_, at) => block('user', `user ${at}`));
      const past = '2020-01-01T00:00:00Z';
      const wrong = [
        many,
        [],
        [block('address', home), block('address', ` ${home}`)],
        [{ ...block('user', 'ada'), note: 'x'.repeat(501) }],
        [{ ...block('user', 'ada'), expires_at: past }],
        [{ ...block('user', 'ada'), effect: 'deny' }],
      ];
      for (const entries of wrong) expect((await add(entries)).status).toBe(400);
      expect((await get()).body.total).toBe(0);
      expect((await add(many.slice(1))).body.entries).toHaveLength(1000);
    });

    test('of another project cannot be seen or ended, nor with other keys', async () => {
      const other = await keyOf(await service.newProject());
      const [entry] = (await add([block('user', 'ada')])).body.entries;
      expect((await get('', other)).body.total).toBe(0);
      expect((await end(entry._id, other)).status).toBe(404);
      expect((await end('nonsense')).status).toBe(404);
      const reader = await keyOf(project, 'live', 'read');
      expect((await get('', reader)).body.total).toBe(1);
      expect((await end(entry._id, reader)).status).toBe(403);
      expect(await get('', await keyOf(project, 'test', 'read'))).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      });
      expect((await get('', project.keys.live.secret)).status).toBe(403);
      expect(await values()).toEqual(['ada']);
    });
  });

  describe('evaluations', () => {
    const hit = async (entry: NewListEntry, request: object = login) => {
      const [{ _id: id }] = (await add([entry])).body.entries;
      const evaluation = await customer.evaluate({ ...login, ...request });
      const { reasons, evidence } = evaluation;
      return { id, evaluation, reasons, evidence };
    };

    test.each<[NewListEntry['kind'], string, object]>([
      ['user', 'ada', {}],
      ['address', '198.51.100.0/24', {}],
      ['address', '2001:db8::/32', { ip: '2001:db8:7::1' }],
      ['email_domain', 'example.com', { email: 'ada@mail.example.com' }],
      ['email_domain', 'googlemail.com', { email: 'ada@googlemail.com' }],
      ['email_domain', 'gmail.com', { email: 'ada@googlemail.com' }],
    ])('are denied by an entry for the %s %s', async (each, value, more) => {
      const { id, evaluation } = await hit(block(each, value), more);
      expect(evaluation).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
      const record = (await customer.get(`/v2/evaluations/${evaluation.evaluation_id}`)).body;
      const found = record.evidence.find(({ reason }: { reason: string }) => reason === 'blocked');
      expect(found.evidence.entries).toEqual([{ id, kind: each, effect: 'block' }]);
      expect((await customer.evaluate({ ...login, user: 'bert', ip: elsewhere })).verdict).not.toBe('deny');
    });

    test('are denied by an entry for the device or the hardware', async () => {
      const first = await customer.evaluate({ ...login, action: 'signup' });
      expect(first.verdict).toBe('allow');
      for (const [each, value] of [
        ['device', first.device_id],
        ['hardware', first.hardware_id],
      ] as const) {
        const { id, evaluation } = await hit(block(each, String(value).toUpperCase()));
        expect(evaluation.verdict).toBe('deny');
        await end(id);
      }
      expect((await customer.evaluate(login)).verdict).toBe('allow');
    });

    test('use the stored email address if the request has none', async () => {
      await customer.evaluate({ ...login, action: 'signup', email: 'ada@bad.example.com' });
      await add([block('email_domain', 'bad.example.com')]);
      expect((await customer.evaluate(login)).verdict).toBe('deny');
    });

    test('are allowed by an entry, except for blocks, and reported', async () => {
      const { evaluation, id } = await hit({ kind: 'user', value: 'ada', effect: 'allow' });
      expect(evaluation).toMatchObject({ verdict: 'allow', reasons: ['new_device', 'new_ip', 'list'] });
      const { body } = await customer.get(`/v2/evaluations/${evaluation.evaluation_id}`);
      expect(body.evidence.at(-1)).toEqual({
        reason: 'list',
        evidence: { entries: [{ id, kind: 'user', effect: 'allow' }] },
      });
      await add([block('address', home)]);
      expect((await customer.evaluate(login)).verdict).toBe('deny');
    });

    test('are denied by a block on a trusted device at a trusted address, which a review does not change', async () => {
      await customer.evaluate({ ...login, action: 'signup' });
      const review = await hit({ kind: 'address', value: '198.51.0.0/16', effect: 'review' });
      expect(review.evaluation).toMatchObject({ verdict: 'allow', reasons: ['list'] });
      const { evaluation } = await hit(block('address', home));
      expect(evaluation).toMatchObject({ verdict: 'deny', reasons: ['blocked', 'list'] });
    });

    test('are not affected once an entry has expired', async () => {
      const expires_at = new Date(service.service.now().getTime() + dayMs).toISOString();
      await add([{ ...block('user', 'ada'), expires_at }]);
      expect((await customer.evaluate(login)).verdict).toBe('deny');
      service.clock.advance(dayMs + 1000);
      expect((await customer.evaluate(login)).verdict).toBe('challenge');
      expect((await get()).body.total).toBe(0);
      expect((await add([block('user', 'ada')])).status).toBe(200);
      expect((await customer.evaluate(login)).verdict).toBe('deny');
    });

    test('of other projects are not affected', async () => {
      await add([block('address', '0.0.0.0/0'), block('user', 'ada')]);
      const other = customerOf(service, await service.newProject());
      expect((await other.evaluate(login)).verdict).toBe('challenge');
      expect((await customerOf(service, project, 'test').evaluate(login)).verdict).toBe('deny');
    });

    // The embedded database keeps no statistics, and Citus keeps them on each worker.
    const testOfMany = kind === 'postgresql' && !isDistributed() ? test : undefined;
    testOfMany?.('of other projects read none of 20,000 entries', async () => {
      await sql`
        insert into list_entries (id, project_id, kind, value, effect, created_by, created_at)
        select gen_random_uuid(), ${project.project.id}, 'email_domain', n || '.example', 'block', 'test', now()
        from generate_series(1, 20000) n`.execute(service.db);
      await sql`analyze list_entries`.execute(service.db);
      const read = async () => {
        const { rows } = await sql<{ index: number; rows: number }>`
          select idx_scan::int as index, seq_tup_read::int as rows from pg_stat_user_tables
          where relname = 'list_entries'`.execute(service.db);
        return rows[0] ?? { index: 0, rows: 0 };
      };
      const other = customerOf(service, await service.newProject());
      await other.evaluate(login);
      const before = await read();
      const evaluations = 40;
      for (let n = 0; n < evaluations; n++) await other.evaluate(login);
      // Connections report what they read when they are idle.
      await waitFor(async () => (await read()).index >= before.index + evaluations, { what: 'the statistics' });
      expect((await read()).rows - before.rows).toBeLessThan(20_000);
    });

    test('by a page do not reveal entries about the user, and are judged by them when they are consumed', async () => {
      await add([block('user', 'ada')]);
      const claim = await customer.claim('ada');
      expect(claim.verdict).toBe('challenge');
      const consumed = await customer.ask(`/v2/evaluations/${claim.evaluation_id}/consume`, {
        user: 'ada',
        action: 'login',
      });
      expect(consumed.verdict).toBe('deny');
      await add([block('address', '0.0.0.0/0')]);
      expect((await customer.claim('bert')).verdict).toBe('deny');
    });
  });
});
