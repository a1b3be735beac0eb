import { describe, expect, test } from 'vitest';
import { Whorl } from '../../src/server/index.js';
import {
  apiSecret,
  clientOf,
  evaluation,
  json,
  page,
  problem,
  type Reply,
  rejection,
  request,
  serve,
  silence,
} from './server-harness.js';

const id = 'a/b?c d..#é';
const encoded = 'a%2Fb%3Fc%20d..%23%C3%A9';
const user = { _id: 'user-1', external_id: '1' };
const challenge = { _id: 'challenge-1', status: 'pending', user };
const device = { _id: 'device-1', status: 'attached' };
const success = { success: true };
const record = { evaluation_id: 'evaluation-1', verdict: 'allow' };
const fingerprint = { fingerprint_id: 'fingerprint-1', confidence: 1 };
const newEntry = { kind: 'user', value: 'ada', effect: 'allow' } as const;
const listEntry = { _id: 'id', ...newEntry, created_by: 'command line', created_at: '2026-01-31T09:30:00.000Z' };
const empty = { data: [], page: 1, limit: 10, total: 0 };

type Row = [expected: string, call: (whorl: Whorl) => Promise<unknown>, answer: unknown, body?: unknown];

const rows: readonly Row[] = [
  ['POST /v2/device/evaluate', (whorl) => whorl.evaluate(request), evaluation, request],
  ['POST /v2/device/evaluate', (whorl) => whorl.reportFailure(request), evaluation, { ...request, outcome: 'failed' }],
  ['GET /v2/challenges?page=1', (whorl) => whorl.challenges.list(), empty],
  [
    'GET /v2/challenges?page=2&limit=100&start_date=2026-01-01',
    (whorl) => whorl.challenges.list({ page: 2, limit: 100, start_date: '2026-01-01' }),
    empty,
  ],
  [`GET /v2/challenges/${encoded}`, (whorl) => whorl.challenges.retrieve(id), challenge],
  [`POST /v2/challenges/${encoded}/send`, (whorl) => whorl.challenges.send(id), { challenge_id: 'challenge-1' }],
  [
    `POST /v2/challenges/${encoded}/send`,
    (whorl) => whorl.challenges.send(id, { channel: 'text' }),
    { challenge_id: 'challenge-1' },
    { channel: 'text' },
  ],
  [
    `POST /v2/challenges/${encoded}/verify`,
    (whorl) => whorl.challenges.verify(id, { code: '123456' }),
    { success: false, attempts_remaining: 4 },
    { code: '123456' },
  ],
  [`POST /v2/challenges/${encoded}/complete`, (whorl) => whorl.challenges.complete(id), success],
  [
    `POST /v2/challenges/${encoded}/complete`,
    (whorl) => whorl.challenges.complete(id, { method: 'passkey' }),
    success,
    { method: 'passkey' },
  ],
  [`GET /v2/challenges/${encoded}/devices`, (whorl) => whorl.challenges.devices(id), { data: [device] }],
  [
    `POST /v2/challenges/${encoded}/kick`,
    (whorl) => whorl.challenges.kick(id, { device: 'device-2' }),
    { success: true, device },
    { device: 'device-2' },
  ],
  [`POST /v2/challenges/${encoded}/open`, (whorl) => whorl.challenges.open(id), challenge],
  [`POST /v2/challenges/${encoded}/skip`, (whorl) => whorl.challenges.skip(id), success],
  [
    `GET /v2/challenges/${encoded}/devices/d%2F2/hash`,
    (whorl) => whorl.challenges.deviceHash(id, 'd/2'),
    { device_id: 'd/2', hash: 'w1.test' },
  ],
  [
    'POST /v2/device/attach',
    (whorl) => whorl.devices.attach({ user: '1', fingerprint: 'w1.test' }),
    { success: true, device_id: 'device-1', fingerprint_id: 'fingerprint-1' },
    { user: '1', fingerprint: 'w1.test' },
  ],
  [
    'POST /v2/device/nonce',
    (whorl) => whorl.devices.nonce(),
    { nonce: 'nonce-1', expires_at: '2026-11-21T09:35:00.000Z' },
  ],
  [
    'POST /v2/device/fingerprint',
    (whorl) => whorl.devices.fingerprint({ fingerprint: 'w1.test' }),
    fingerprint,
    { fingerprint: 'w1.test' },
  ],
  [`POST /v2/device/${encoded}/detach`, (whorl) => whorl.devices.detach(id), { success: true, device }],
  [`POST /v2/device/${encoded}/disown`, (whorl) => whorl.devices.disown(id), { success: true, device }],
  [
    `POST /v2/device/${encoded}/metadata`,
    (whorl) => whorl.devices.metadata(id, { metadata: { a: null } }),
    device,
    { metadata: { a: null } },
  ],
  [
    `POST /v2/device/${encoded}/update`,
    (whorl) => whorl.devices.update(id, { whitelisted: true }),
    device,
    { whitelisted: true },
  ],
  [
    'GET /v2/devices?hardware_id=6f0b2c1e&page=1',
    (whorl) => whorl.devices.list({ hardware_id: '6f0b2c1e' }),
    { ...empty, data: [device], total: 1 },
  ],
  [
    `GET /v2/user/${encoded}/devices?status=attached&page=1`,
    (whorl) => whorl.users.devices(id, { status: 'attached' }),
    { ...empty, data: [device], total: 1 },
  ],
  [`POST /v2/user/${encoded}/update`, (whorl) => whorl.users.update(id, { email: null }), user, { email: null }],
  [
    'POST /v2/user/import',
    (whorl) => whorl.users.import({ users: [{ id: '1', trusted_addresses: ['192.0.2.1'] }, { id: '2' }] }),
    {
      results: [
        { id: '1', status: 'created' },
        { id: '2', status: 'failed', errors: [{ path: 'id', message: 'No' }] },
      ],
    },
    { users: [{ id: '1', trusted_addresses: ['192.0.2.1'] }, { id: '2' }] },
  ],
  [`POST /v2/user/${encoded}/delete`, (whorl) => whorl.users.delete(id), success],
  [`GET /v2/user/${encoded}/export`, (whorl) => whorl.users.export(id), { user }],
  ['GET /v2/users', (whorl) => whorl.users.list(), { data: [user] }],
  [
    'GET /v2/users?status=suspended&min_devices=2&disowned=false&cursor=after',
    (whorl) => whorl.users.list({ status: 'suspended', min_devices: 2, disowned: false, cursor: 'after' }),
    { data: [], next_cursor: 'later' },
  ],
  [
    'POST /v2/users/search',
    (whorl) => whorl.users.search({ email: 'a@example.com', cursor: 'after' }),
    { data: [user] },
    { email: 'a@example.com', cursor: 'after' },
  ],
  ['GET /v2/evaluations', (whorl) => whorl.evaluations.list(), { data: [record] }],
  [
    'GET /v2/evaluations?country=DE&min_score=50&cursor=after',
    (whorl) => whorl.evaluations.list({ country: 'DE', min_score: 50, cursor: 'after' }),
    { data: [], next_cursor: 'later' },
  ],
  [`GET /v2/evaluations/${encoded}`, (whorl) => whorl.evaluations.retrieve(id), record],
  [
    `POST /v2/evaluations/${encoded}/consume`,
    (whorl) =>
      whorl.evaluations.consume(id, { user: '1', action: 'login', email: 'a@example.com', metadata: { a: 1 } }),
    record,
    { user: '1', action: 'login', email: 'a@example.com', metadata: { a: 1 } },
  ],
  [
    `POST /v2/evaluations/${encoded}/feedback`,
    (whorl) => whorl.evaluations.feedback(id, { label: 'fraud' }),
    success,
    { label: 'fraud' },
  ],
  [
    'GET /v2/lists?kind=user&at=2026-01-31&page=1',
    (whorl) => whorl.lists.list({ kind: 'user', at: '2026-01-31' }),
    { ...empty, data: [listEntry] },
  ],
  [
    'POST /v2/lists',
    async (whorl) => ({ entries: await whorl.lists.add([newEntry]) }),
    { entries: [listEntry] },
    { entries: [newEntry] },
  ],
  [`DELETE /v2/lists/${encoded}`, (whorl) => whorl.lists.end(id), listEntry],
  ['GET /v2/proj/access-history?user=1&page=1', (whorl) => whorl.legacy.accessHistory({ user: '1' }), empty],
  [
    `GET /v2/proj/user/${encoded}/devices?whitelisted=true&dev=false`,
    (whorl) => whorl.legacy.userDevices(id, { whitelisted: true, dev: false }),
    [device],
  ],
  [`POST /v2/proj/identification/${encoded}/complete`, (whorl) => whorl.legacy.completeIdentification(id), success],
  [
    `POST /v2/proj/device/${encoded}/metadata`,
    (whorl) => whorl.legacy.deviceMetadata(id, { metadata: {} }),
    device,
    { metadata: {} },
  ],
];

const file = { settings: {}, webhooks: { live: [], test: [] } };

describe('the project', () => {
  test('is retrieved with its version, and replaced on that condition', async () => {
    const server = await serve(
      json(file, 200, { etag: '"version-1"' }),
      json({ changes: [], project: file }, 200, { etag: '"version-2"' }),
    );
    const whorl = clientOf(server);
    const { project, version } = await whorl.project.retrieve();
    expect({ project, version }).toEqual({ project: file, version: '"version-1"' });
    const replaced = await whorl.project.replace(project, { version, dry_run: true });
    expect(replaced).toEqual({ changes: [], project: file, version: '"version-2"' });
    const [, put] = server.received;
    expect(put).toMatchObject({ method: 'PUT', url: '/v2/project?dry_run=true', body: JSON.stringify(file) });
    expect(put?.headers).toMatchObject({ 'if-match': '"version-1"', 'content-type': 'application/json' });
    expect(put?.headers).not.toHaveProperty('idempotency-key');
  });

  test.each(['', 'a b', '"1"\r\n'])('is not replaced with a version that is none: %j', async (version) => {
    const server = await serve(json({}));
    const error = await rejection(clientOf(server).project.replace({}, { version }));
    expect(error).toMatchObject({ code: 'invalid_argument' });
    expect(server.received).toEqual([]);
  });
});

describe('each method', () => {
  test.each<Row>(rows)('%s', async (expected, call, answer, body) => {
    const server = await serve(json(answer));
    expect(await call(clientOf(server))).toEqual(answer);
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([expected]);
    expect(server.received[0]?.body).toBe(body === undefined ? '' : JSON.stringify(body));
  });

  test.each<Row>(rows)('rejects an invalid response: %s', async (_, call) => {
    const server = await serve(json({ unrelated: true, data: 'none' }));
    const outcome = await call(clientOf(server)).catch((error: unknown) => error);
    // The export of a user can be any object.
    if (!server.received[0]?.url.endsWith('/export')) expect(outcome).toMatchObject({ code: 'invalid_response' });
  });
});

describe('if the service is unreachable', () => {
  test.each<[string, Reply]>([
    ['no answer in time', silence],
    ['503', problem(503, 'unavailable')],
    ['500', problem(500, 'internal')],
    ['521 of a proxy', page(521)],
  ])('evaluate throws or returns the configured verdict: %s', async (_, reply) => {
    const server = await serve(reply);
    const options = { retries: 0, ...(reply === silence && { timeoutMs: 300 }) };
    const error = await rejection(clientOf(server, options).evaluate(request));
    const denied = await clientOf(server, options).evaluate(request, { whenUnavailable: 'deny' });
    expect(denied).toEqual({ verdict: 'deny', reasons: ['unavailable'], unavailable: true, cause: error });
  });

  test.each<[string, Reply]>([
    ['429', problem(429, 'rate_limited')],
    ['408', problem(408, 'timeout')],
    ['503 user_busy', problem(503, 'user_busy')],
  ])('evaluate throws whatever the configured verdict, because a stranger can cause it: %s', async (_, reply) => {
    const server = await serve(reply);
    const refused = clientOf(server, { retries: 0 }).evaluate(request, { whenUnavailable: 'allow' });
    await expect(refused).rejects.toMatchObject({ name: 'WhorlApiError' });
  });

  test.each([200, 302, 400, 403, 404, 413, 431])(
    'evaluate throws for what is not from the service, because what a visitor sends can make a firewall respond: %i',
    async (status) => {
      const server = await serve(page(status));
      const refused = clientOf(server, { retries: 0 }).evaluate(request, { whenUnavailable: 'allow' });
      await expect(refused).rejects.toMatchObject({ name: 'WhorlConnectionError', code: 'invalid_response' });
    },
  );

  test('the client sets the verdict for all calls, and a call can override it', async () => {
    const server = await serve(problem(503, 'unavailable'));
    const open = new Whorl({ apiSecret, baseUrl: server.baseUrl, retries: 0, whenUnavailable: 'allow' });
    expect(await open.evaluate(request)).toMatchObject({ verdict: 'allow', unavailable: true });
    expect(await open.evaluate(request, { whenUnavailable: 'deny' })).toMatchObject({ verdict: 'deny' });
    expect(await rejection(open.evaluate(request, { whenUnavailable: 'throw' }))).toMatchObject({ status: 503 });
  });

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [409, 'idempotency_in_flight'],
    [422, 'idempotency_mismatch'],
  ])('an error response does not count: %i %s', async (status, code) => {
    const server = await serve(problem(status, code));
    const rejected = rejection(clientOf(server, { retries: 0 }).evaluate(request, { whenUnavailable: 'allow' }));
    expect(await rejected).toMatchObject({ status, code });
  });

  test('an abort does not count', async () => {
    const server = await serve(silence);
    const options = { whenUnavailable: 'allow', signal: AbortSignal.timeout(100) } as const;
    expect(await rejection(clientOf(server).evaluate(request, options))).toMatchObject({ code: 'aborted' });
  });

  test('a real evaluation is not marked', async () => {
    const server = await serve(json(evaluation));
    const answer = await clientOf(server).evaluate(request, { whenUnavailable: 'allow' });
    expect(answer.unavailable).toBeUndefined();
    expect(answer).toEqual(evaluation);
  });
});
