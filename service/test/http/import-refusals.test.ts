import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { importsOf, path, type Result } from '../support/imports.js';
import { wideLimits } from '../support/operations.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const largestBody = 4 * 1024 * 1024;

describeDatabases('POST /v2/user/import', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject(wideLimits);
    customer = customerOf(service, project);
  });

  const { run, exported } = importsOf(() => customer);

  describe('an invalid row', () => {
    const tooMuch = { filler: 'a'.repeat(16 * 1024) };
    test.each<[string, unknown, string]>([
      ['is no object', 'ada', ''],
      ['is null', null, ''],
      ['has no id', { email: 'ada@example.com' }, 'id'],
      ['has an id of another type', { id: 7 }, 'id'],
      ['has an id that cannot be stored', { id: 'a\u0000' }, 'id'],
      ['has a contact of another type', { id: 'ada', email: 7 }, 'email'],
      ['has too much metadata', { id: 'ada', metadata: tooMuch }, 'metadata'],
      ['has an address that is none', { id: 'ada', trusted_addresses: [home, 'nowhere'] }, 'trusted_addresses.1'],
      ['has too many addresses', { id: 'ada', trusted_addresses: Array(101).fill(home) }, 'trusted_addresses'],
      ['has too many devices', { id: 'ada', devices: Array(21).fill({ fingerprint: laptop }) }, 'devices'],
      ['has a device without a fingerprint', { id: 'ada', devices: [{ trusted: true }] }, 'devices.0.fingerprint'],
      ['has a placeholder', { id: 'ada', devices: [{ fingerprint: 'undefined' }] }, 'devices.0.fingerprint'],
      ['trusts with a text', { id: 'ada', devices: [{ fingerprint: laptop, trusted: 'yes' }] }, 'devices.0.trusted'],
    ])('that %s fails alone, with its fields named', async (_name, row, field) => {
      const results = await run({ id: 'before' }, row, { id: 'after' });
      expect(results.map(({ status }) => status)).toEqual(['created', 'failed', 'created']);
      expect(results[1]?.errors).toMatchObject([{ path: field }]);
      expect((await customer.get('/v2/user/ada/export')).status).toBe(404);
    });

    test('that would exceed a limit with existing data stores nothing', async () => {
      await run({ id: 'ada', metadata: { a: 'x'.repeat(10_000) } });
      const [result] = await run({ id: 'ada', email: 'ada@example.com', metadata: { b: 'x'.repeat(10_000) } });
      expect(result).toMatchObject({ status: 'failed', errors: [{ path: 'metadata' }] });
      expect((await exported('ada')).user).not.toHaveProperty('email');
    });
  });

  describe('400', () => {
    test.each<[string, object]>([
      ['no users', {}],
      ['users that are no list', { users: { id: 'ada' } }],
      ['1,001 users', { users: Array.from({ length: 1001 }, (_, at) => ({ id: `${at}` })) }],
    ])('%s', async (_name, body) => {
      const answer = await customer.post(path, body);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'users' }] } });
    });
  });

  test('413: only over 4 MiB', async () => {
    const filler = (bytes: number) => {
      const frame = JSON.stringify({ users: [], filler: '' });
      return JSON.stringify({ users: [], filler: 'a'.repeat(bytes - frame.length) });
    };
    const send = (body: string) => service.api(path, { key: project.keys.live.secret, body });
    expect(await send(filler(largestBody))).toMatchObject({ status: 200, body: { results: [] } });
    expect(await send(filler(largestBody + 1))).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });

  test('429: more than two concurrent imports in one process, before their bodies are read', async () => {
    const unfinished = () => {
      const body = new TransformStream<Uint8Array, Uint8Array>();
      const headers = { Authorization: `Bearer ${project.keys.live.secret}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: body.readable, duplex: 'half' } as const;
      const answer = fetch(service.url + path, init);
      const writer = body.writable.getWriter();
      const write = (text: string) => writer.write(new TextEncoder().encode(text));
      return { answer, write, end: () => writer.close() };
    };
    const requests = [unfinished(), unfinished(), unfinished()];
    for (const { write } of requests) await write('{"users":[');
    // No body is complete, so only a refused request gets a response.
    const [refused, which] = await Promise.race(requests.map(async (one) => [await one.answer, one] as const));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('import') });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const held = requests.filter((one) => one !== which);
    for (const { write, end } of held) {
      await write(']}');
      await end();
    }
    for (const { answer } of held) expect((await answer).status).toBe(200);
    expect((await customer.post(path, { users: [] })).status).toBe(200);
  });

  describe('with a test key', () => {
    test('warns about unknown fields, opaque fingerprints and contacts, and names the row', async () => {
      const tester = customerOf(service, project, 'test');
      const { results, warnings } = await tester.ask(path, {
        users: [
          { id: 'ada', e_mail: 'ada@example.com', devices: [{ fingerprint: 'opaque', trustd: true }] },
          { id: 'bob', email: 'nobody' },
        ],
        user: [],
      });
      expect(results.map(({ status }: Result) => status)).toEqual(['created', 'created']);
      expect(warnings).toEqual([
        { path: 'user', message: expect.stringContaining('did you mean `users`?') },
        { path: 'users.0.e_mail', message: expect.stringContaining('did you mean `email`?') },
        { path: 'users.0.devices.0.trustd', message: expect.stringContaining('did you mean `trusted`?') },
        { path: 'users.0.devices.0.fingerprint', message: expect.stringContaining('exactly') },
        { path: 'users.1.email', message: expect.stringContaining('is not an email address') },
      ]);
      expect((await tester.ask(path, { users: [{ id: 'ada' }] })).warnings).toEqual([]);
    });

    test('does not warn with a live key', async () => {
      expect(await customer.ask(path, { users: [{ id: 'ada', mail: 'x' }] })).toEqual({
        results: [{ id: 'ada', status: 'created' }],
      });
    });
  });
});
