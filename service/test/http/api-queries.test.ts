import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../src/testing.js';
import { type Customer, customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { all, createInventory, fieldsOf, type Inventory, pathOf, queryFor, wideLimits } from '../support/operations.js';
import { startService, type TestService } from '../support/service.js';

describeDatabases('request validation', (kind) => {
  let service: TestService;
  let customer: Customer;
  let inventory: Inventory;
  beforeAll(async () => {
    service = await startService({ database: kind });
    const project = await service.newProject(wideLimits);
    customer = customerOf(service, project);
    inventory = await createInventory(service, project);
  });
  afterAll(() => service.close());

  describe('pagination', () => {
    const lists = ['/v2/challenges', '/v2/user/ada/devices', '/v2/proj/access-history'];

    test.each(lists)('%s: page and limit must be whole numbers within their ranges', async (list) => {
      const wrong = [
        'limit=101',
        'limit=0',
        'limit=-1',
        'limit=1.5',
        'limit=ten',
        'limit=1e1',
        'limit=0x10',
        'limit=%20',
      ];
      const alsoWrong = [
        'page=0',
        'page=-1',
        'page=1.0',
        'page=NaN',
        'page=Infinity',
        'page=99999999999999999999',
        'page=2000000000',
      ];
      for (const query of [...wrong, ...alsoWrong]) {
        const { body } = await customer.get(`${list}?${query}`);
        expect(body, query).toMatchObject({ status: 400, errors: [{ path: query.split('=')[0] }] });
      }
    });

    test.each(lists)('%s: returns 10 rows by default and at most 100', async (list) => {
      expect((await customer.get(list)).body).toMatchObject({ page: 1, limit: 10 });
      const { body } = await customer.get(`${list}?limit=100&page=1000000000&unknown=x`);
      expect(body).toMatchObject({ data: [], page: 1_000_000_000, limit: 100 });
    });
  });

  describe('time ranges', () => {
    const lists = ['/v2/challenges', '/v2/proj/access-history'];
    const totalOf = async (list: string, query: Record<string, string>) =>
      (await customer.get(`${list}?${new URLSearchParams(query)}`)).body.total;

    test.each(lists)('%s: include both ends, and an end date includes the whole day', async (list) => {
      const { body } = await customer.get(`${list}?limit=100`);
      const all = body.total;
      const created = new Date(body.data.at(0).createdAt);
      const oldest = new Date(body.data.at(-1).createdAt);
      const shifted = (time: Date, ms: number) => new Date(time.getTime() + ms).toISOString();
      const dayOf = (time: Date, ms = 0) => shifted(time, ms).slice(0, 10);
      expect(await totalOf(list, { start_date: dayOf(oldest), end_date: dayOf(created) })).toBe(all);
      expect(await totalOf(list, { start_date: shifted(oldest, 0), end_date: shifted(created, 0) })).toBe(all);
      expect(await totalOf(list, { end_date: dayOf(oldest, -dayMs) })).toBe(0);
      expect(await totalOf(list, { start_date: dayOf(created, dayMs) })).toBe(0);
      expect(await totalOf(list, { end_date: shifted(oldest, -1) })).toBe(0);
      expect(await totalOf(list, { start_date: shifted(created, 1) })).toBe(0);
    });

    test.each(lists)('%s: accept timestamps in any time zone', async (list) => {
      const { body } = await customer.get(list);
      const created = new Date(body.data.at(0).createdAt);
      const local = new Date(created.getTime() + 2 * hourMs).toISOString().replace('Z', '+02:00');
      expect(await totalOf(list, { start_date: local })).toBe(
        await totalOf(list, { start_date: created.toISOString() }),
      );
    });

    test.each(lists)('%s: reject invalid times', async (list) => {
      const wrong = [
        'yesterday',
        '2026-02-30',
        '2026-13-01',
        '2026-1-1',
        '20260101',
        '2026-01-01T10:00',
        '2026-01-01 10:00:00Z',
      ];
      const outside = [
        '1969-12-31',
        '0000-01-01',
        '9999-12-31T23:59:59-01:00',
        '+010000-01-01T00:00:00Z',
        '1700000000',
        '\u0000',
      ];
      for (const moment of [...wrong, ...outside]) {
        for (const name of ['start_date', 'end_date']) {
          const { body } = await customer.get(`${list}?${new URLSearchParams({ [name]: moment })}`);
          expect(body, moment).toMatchObject({ status: 400, errors: [{ path: name }] });
        }
      }
    });

    test.each(lists)('%s: reject an end before the start', async (list) => {
      const { body } = await customer.get(`${list}?start_date=2026-02-02&end_date=2026-02-01`);
      expect(body).toMatchObject({ status: 400, errors: [{ path: 'end_date' }] });
      expect(await totalOf(list, { start_date: '2026-02-01', end_date: '2026-02-01' })).toBe(0);
    });
  });

  test.each(all.filter(([, { query }]) => query))('%s: no parameter can be repeated', async (_name, endpoint) => {
    for (const name of fieldsOf(endpoint.query)) {
      const query = new URLSearchParams([...new URLSearchParams(queryFor(endpoint, { [name]: '1' })), [name, '2']]);
      const { body } = await customer.get(`${pathOf(endpoint, inventory)}?${query}`);
      expect(body).toMatchObject({ status: 400, errors: [{ path: name, message: 'must not be repeated' }] });
    }
  });

  test('flags of the legacy device list must be true or false', async () => {
    for (const value of ['1', 'yes', 'TRUE', 'null']) {
      const { body } = await customer.get(`/v2/proj/user/ada/devices?dev=${value}`);
      expect(body, value).toMatchObject({ status: 400, errors: [{ path: 'dev' }] });
    }
    expect(await customer.get('/v2/proj/user/ada/devices?dev=false&whitelisted=true')).toMatchObject({ status: 200 });
  });
});
