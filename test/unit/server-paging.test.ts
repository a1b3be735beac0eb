import { expect, test } from 'vitest';
import { clientOf, json, problem, type Reply, rejection, serve } from './server-harness.js';

const record = (number: number) => ({
  _id: `challenge-${number}`,
  status: 'pending',
  user: { _id: 'user-1', external_id: '1' },
});

/** Responds to any page of a list with this number of records. */
function listOf(total: () => number): Reply {
  return (response, request) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const page = Number(query.get('page') ?? 1);
    const limit = Number(query.get('limit') ?? 10);
    // The newest has the highest number.
    const all = Array.from({ length: total() }, (_, index) => record(total() - index));
    json({ data: all.slice((page - 1) * limit, page * limit), page, limit, total: total() })(response, request);
  };
}

async function idsOf(list: AsyncIterable<{ _id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { _id } of list) ids.push(_id);
  return ids;
}

const ids = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => `challenge-${newest - index}`);

test('awaiting a list returns the requested page', async () => {
  const server = await serve(listOf(() => 25));
  const page = await clientOf(server).challenges.list({ page: 2 });
  expect(page).toMatchObject({ page: 2, limit: 10, total: 25 });
  expect(page.data.map(({ _id }) => _id)).toEqual(ids(15, 6));
  expect(server.received).toHaveLength(1);
});

test.each([
  [25, 10, 3],
  [20, 10, 2],
  [3, 100, 1],
  [0, 10, 1],
])('iterating returns all %i records, %i per page, in %i requests', async (total, limit, requests) => {
  const server = await serve(listOf(() => total));
  expect(await idsOf(clientOf(server).challenges.list({ limit }))).toEqual(ids(total, 1));
  expect(server.received).toHaveLength(requests);
});

test('iterating from a page returns the rest', async () => {
  const server = await serve(listOf(() => 25));
  expect(await idsOf(clientOf(server).challenges.list({ page: 3 }))).toEqual(ids(5, 1));
});

test('awaiting and iterating load the first page once', async () => {
  const server = await serve(listOf(() => 12));
  const list = clientOf(server).challenges.list();
  expect((await list).total).toBe(12);
  expect(await idsOf(list)).toHaveLength(12);
  expect(server.received.map(({ url }) => url)).toEqual(['/v2/challenges?page=1', '/v2/challenges?page=2']);
});

test('a record that newer ones move to the next page is returned once', async () => {
  let total = 20;
  const server = await serve(listOf(() => total));
  const seen: string[] = [];
  for await (const { _id } of clientOf(server).challenges.list()) {
    seen.push(_id);
    // Three records are created while the first page is processed.
    if (seen.length === 5) total = 23;
  }
  expect(seen).toEqual(ids(20, 1));
});

test('stopping early loads no further pages', async () => {
  const server = await serve(listOf(() => 100));
  for await (const { _id } of clientOf(server).challenges.list()) if (_id === 'challenge-95') break;
  expect(server.received).toHaveLength(1);
});

test('ends at an empty page, regardless of the total', async () => {
  const server = await serve(
    json({ data: [record(1)], page: 1, limit: 1, total: 9 }),
    json({ data: [], page: 2, limit: 1, total: 9 }),
  );
  expect(await idsOf(clientOf(server).challenges.list())).toEqual(['challenge-1']);
  expect(server.received).toHaveLength(2);
});

test('a page that cannot be loaded ends the iteration with its error', async () => {
  const server = await serve(
    listOf(() => 25),
    problem(401, 'unauthorized'),
  );
  expect(await rejection(idsOf(clientOf(server).challenges.list()))).toMatchObject({ code: 'unauthorized' });
});
