import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { openSearchedEvaluations, type SearchedEvaluations } from '../support/searched-evaluations.js';

describeDatabases('searching evaluations', (kind) => {
  let shop: SearchedEvaluations['shop'];
  let ids: SearchedEvaluations['ids'];
  let facts: SearchedEvaluations['facts'];
  let cases: SearchedEvaluations['cases'];
  let copyEvaluation: SearchedEvaluations['copyEvaluation'];
  beforeAll(async () => {
    ({ shop, ids, facts, cases, copyEvaluation } = await openSearchedEvaluations(kind));
  });
  afterAll(() => shop.close());

  describe('over the API', () => {
    const get = (query: Record<string, string> | string) =>
      shop.customer.get(`/v2/evaluations?${new URLSearchParams(query)}`);
    const idsOf = (body: { data: { evaluation_id: string }[] }) => body.data.map((each) => each.evaluation_id);

    test('returns what matches all filters, newest first, as when it is retrieved', async () => {
      for (const [query, names] of cases()) {
        const { status, body } = await get(query);
        expect(status, JSON.stringify(query)).toBe(200);
        expect(idsOf(body), JSON.stringify(query)).toEqual(names.map((name) => ids[name]));
        expect(body).not.toHaveProperty('next_cursor');
      }
      const { body } = await get({ label: 'fraud' });
      expect(body.data[0]).toEqual((await shop.customer.get(`/v2/evaluations/${ids.driven}`)).body);
    });

    test('finds the failed attempts of a name that no user has', async () => {
      expect(idsOf((await get({ user: 'nobody' })).body)).toEqual([ids.failed]);
      expect(idsOf((await get({ user: 'ada@example.com' })).body)).toEqual([ids.quiet]);
      expect(idsOf((await get({ user: 'nobody else' })).body)).toEqual([]);
      expect(idsOf((await get({ user: '=bob', user_id: facts.user })).body)).toEqual([]);
    });

    test('continues at a cursor, in the server client as well', async () => {
      const first = (await get({ limit: '2' })).body;
      expect(idsOf(first)).toEqual([ids.failed, ids.driven]);
      const second = (await get({ limit: '2', cursor: first.next_cursor })).body;
      expect(idsOf(second)).toEqual([ids.quiet]);
      expect(second).not.toHaveProperty('next_cursor');
      const whorl = new Whorl({ apiSecret: shop.project.keys.live.secret, baseUrl: shop.service.url });
      const all: string[] = [];
      for await (const { evaluation_id } of whorl.evaluations.list({ limit: 1 })) all.push(evaluation_id);
      expect(all).toEqual([ids.failed, ids.driven, ids.quiet]);
      expect(idsOf(await whorl.evaluations.list({ country: 'JP', label: 'fraud' }))).toEqual([ids.driven]);
    });

    test('names each parameter that is not valid', async () => {
      const wrong = {
        ...{
          verdict: 'maybe',
          ip: '1.2.3',
          asn: 'x',
          country: 'Germany',
          min_score: '101',
          user_id: 'x',
          limit: '101',
        },
        ...{
          label: 'unknown',
          cursor: 'x',
          user: 'x'.repeat(257),
          start_date: 'now',
          address_kind: 'office',
          tag: '=A1',
        },
      };
      const { status, body } = await get(wrong);
      expect(status).toBe(400);
      expect(body.code).toBe('invalid_request');
      const paths = body.errors.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(Object.keys(wrong).sort());
      expect((await get({ start_date: '2026-02-01', end_date: '2026-01-01' })).body.errors).toEqual([
        { path: 'end_date', message: 'must not be before start_date' },
      ]);
    });

    test('returns nothing of another project, whatever the filter or the cursor', async () => {
      const stranger = customerOf(shop.service, await shop.service.newProject());
      const { next_cursor: cursor } = (await get({ limit: '1' })).body;
      for (const query of [{}, { cursor }, ...cases().map(([each]) => each), { user: '=bob' }]) {
        const answer = await stranger.get(`/v2/evaluations?${new URLSearchParams(query)}`);
        expect(answer.body, JSON.stringify(query)).toEqual({ data: [] });
      }
      const test = customerOf(shop.service, shop.project, 'test');
      expect((await test.get('/v2/evaluations')).body).toEqual({ data: [] });
    });

    test('stops a search that finds little, and continues where it stopped', async () => {
      const project = await shop.service.newProject();
      const customer = customerOf(shop.service, project);
      const { evaluation_id } = await customer.evaluate({ action: 'signup', user: 'first', fingerprint: laptop });
      await copyEvaluation(evaluation_id, 5001);
      const first = (await customer.get('/v2/evaluations?action=signup')).body;
      expect(first.data).toEqual([]);
      const second = (await customer.get(`/v2/evaluations?action=signup&cursor=${first.next_cursor}`)).body;
      expect(idsOf(second)).toEqual([evaluation_id]);
    });
  });
});
