import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { wideLimits } from '../support/operations.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const path = '/v2/user/import';
const largestBody = 4 * 1024 * 1024;

interface Result {
  readonly id: string;
  readonly status: string;
  readonly errors?: readonly { path: string; message: string }[];
}

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

  const run = async (...users: unknown[]): Promise<Result[]> => (await customer.ask(path, { users })).results;
  const exported = async (user: string) => (await customer.get(`/v2/user/${user}/export`)).body;
  const login = (user: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint: laptop, ip: home, ...more });
  const ada = {
    id: 'ada',
    email: 'ada@example.com',
    phone: '+491701234567',
    metadata: { plan: 'family', since: { year: 2019, month: 4 } },
    trusted_addresses: [home, '2001:db8::1'],
    devices: [
      { fingerprint: laptop, metadata: { nickname: 'Laptop' }, trusted: true },
      { fingerprint: phone, last_fingerprint: null },
    ],
  };

  describe('a row', () => {
    test('creates a user with all its data', async () => {
      expect(await run(ada)).toEqual([{ id: 'ada', status: 'created' }]);
      const { user, addresses, devices } = await exported('ada');
      expect(user).toMatchObject({ external_id: 'ada', email: ada.email, phone: ada.phone, metadata: ada.metadata });
      const trusted = { seen_at: null, trusted_until: expect.any(String) };
      expect(addresses).toEqual([
        { network: home, ...trusted },
        { network: '2001:db8::/64', ...trusted },
      ]);
      expect(devices).toMatchObject([
        { status: 'attached', trusted: true, external_user: 'ada', metadata: { nickname: 'Laptop' } },
        { status: 'attached', trusted: false, metadata: {} },
      ]);
      const fingerprints = devices.map((device: { fingerprints: { fingerprint: string }[] }) =>
        device.fingerprints.map(({ fingerprint }) => fingerprint),
      );
      expect(fingerprints).toEqual([[laptop], [phone]]);
      expect(await service.events(project)).toEqual([]);
    });

    test('allows a trusted device at a trusted IP address, and challenges it elsewhere', async () => {
      await run(ada);
      expect(await login('ada')).toMatchObject({ verdict: 'allow', reasons: [] });
      expect(await login('ada', { ip: elsewhere })).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'] });
      const changed = fingerprintOf({ seed: 'laptop', changed: ['surface'] });
      expect(await login('ada', { fingerprint: changed, ip: elsewhere })).toMatchObject({ verdict: 'challenge' });
    });

    test('recognises the ID that another library gave a device only as the fingerprint itself', async () => {
      const fingerprint = '8f0cc7e1a9';
      await run({ id: 'ada', trusted_addresses: [home], devices: [{ fingerprint, trusted: true }] });
      expect(await login('ada', { fingerprint })).toMatchObject({ verdict: 'allow', reasons: [] });
      const last = { last_fingerprint: fingerprint };
      expect(await login('ada', last)).toMatchObject({ verdict: 'challenge', reasons: ['new_device', 'high_risk'] });
    });

    test('trusts an IP address for the configured time', async () => {
      project = await service.newProject({ address_trust_days: 10 });
      customer = customerOf(service, project);
      await run(ada);
      service.clock.advance(10 * dayMs + 1000);
      expect((await login('ada')).reasons).toContain('new_ip');
    });

    test("sets a user's contact for codes", async () => {
      await run({ id: 'ada', email: 'ada@example.com' });
      const { challenge_id } = await customer.challenge('ada', { email: undefined });
      await customer.ask(`/v2/challenges/${challenge_id}/send`);
      expect(service.outbox).toMatchObject([{ to: 'ada@example.com' }]);
    });

    test('has no effect when imported again', async () => {
      await run(ada);
      const before = await exported('ada');
      service.clock.advance(minuteMs);
      expect(await run(ada, { ...ada, email: ' ada@example.com' })).toEqual([
        { id: 'ada', status: 'unchanged' },
        { id: 'ada', status: 'unchanged' },
      ]);
      expect({ ...(await exported('ada')), exported_at: '' }).toEqual({ ...before, exported_at: '' });
    });

    test.each<[string, object]>([
      ['a contact', { email: 'new@example.com' }],
      ['metadata', { metadata: { plan: null } }],
      ['an address', { trusted_addresses: [elsewhere] }],
      ['a device', { devices: [{ fingerprint: tablet }] }],
      ['the trust in a device', { devices: [{ fingerprint: phone, trusted: true }] }],
      ['metadata of a device', { devices: [{ fingerprint: phone, metadata: { a: 1 } }] }],
    ])('adds %s to an existing user, once', async (_name, change) => {
      await run(ada);
      expect(await run({ id: 'ada', ...change })).toEqual([{ id: 'ada', status: 'updated' }]);
      expect(await run({ id: 'ada', ...change })).toEqual([{ id: 'ada', status: 'unchanged' }]);
    });

    test('does not change absent fields, and treats "" and null as absent', async () => {
      await run(ada);
      const empty = { email: null, phone: '', metadata: null, trusted_addresses: null, devices: null };
      expect(await run({ id: 'ada' }, { id: 'ada', ...empty })).toEqual([
        { id: 'ada', status: 'unchanged' },
        { id: 'ada', status: 'unchanged' },
      ]);
      expect((await exported('ada')).user).toMatchObject({ email: ada.email, phone: ada.phone });
    });

    test('ignores an invalid contact with a warning', async () => {
      const [result] = await run({ id: 'ada', email: 'ada at example', phone: '0170 1234567', metadata: { a: 1 } });
      expect(result).toEqual({
        id: 'ada',
        status: 'created',
        errors: [
          { path: 'email', message: expect.stringContaining('is not an email address') },
          { path: 'phone', message: expect.stringContaining('default_country') },
        ],
      });
      const { user } = await exported('ada');
      expect(user).not.toHaveProperty('email');
      expect(user.metadata).toEqual({ a: 1 });
    });

    test("accepts the service's ID of a user", async () => {
      await run(ada);
      const { _id } = (await exported('ada')).user;
      expect(await run({ id: _id, email: 'new@example.com' })).toEqual([{ id: _id, status: 'updated' }]);
      expect((await exported('ada')).user.email).toBe('new@example.com');
    });
  });

  describe('revocations', () => {
    test.each(['detach', 'block'])('are kept when the row is imported again: %s', async (how) => {
      await run(ada);
      const { _id } = (await exported('ada')).devices[0];
      if (how === 'detach') await customer.ask(`/v2/device/${_id}/detach`);
      else await customer.ask(`/v2/device/${_id}/update`, { status: 'blocked' });
      const [result] = await run(ada);
      expect(result).toMatchObject({ status: 'unchanged', errors: [{ path: 'devices.0' }] });
      expect((await exported('ada')).devices[0]).toMatchObject({ trusted: false });
      expect((await login('ada')).verdict).not.toBe('allow');
    });

    test('a suspended user stays suspended', async () => {
      await run(ada);
      await customer.ask('/v2/user/ada/update', { status: 'suspended' });
      await run({ ...ada, email: 'new@example.com' });
      expect(await login('ada')).toMatchObject({ verdict: 'deny' });
    });

    test('a device with a pending challenge stays pending', async () => {
      const { device_id } = await customer.challenge('ada', { fingerprint: laptop });
      const [result] = await run({ id: 'ada', devices: [{ fingerprint: laptop, trusted: true }] });
      expect(result).toMatchObject({ status: 'unchanged', errors: [{ path: 'devices.0' }] });
      expect((await exported('ada')).devices).toMatchObject([{ _id: device_id, status: 'pending', trusted: false }]);
    });
  });

  test('an imported IP address does not count as seen', async () => {
    await run(...Array.from({ length: 40 }, (_, at) => ({ id: `user ${at}`, trusted_addresses: [home] })));
    const { reasons } = await login('ada', { action: 'signup' });
    expect(reasons).not.toContain('velocity');
  });

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

  test('processes rows in order, also of one user', async () => {
    const rows = [1, 2, 3].map((turn) => ({ id: 'ada', metadata: { turn } }));
    expect((await run(...rows)).map(({ status }) => status)).toEqual(['created', 'updated', 'updated']);
    expect((await exported('ada')).user.metadata).toEqual({ turn: 3 });
  });

  test('creates one user for concurrent requests', async () => {
    await Promise.all([run(ada), run(ada)]);
    const { user, devices } = await exported('ada');
    expect([user.external_id, devices.length]).toEqual(['ada', 2]);
  });

  test('imports 1,000 users without blocking other requests', async () => {
    const users = Array.from({ length: 1000 }, (_, at) => ({ id: `user ${at}`, email: `user${at}@example.com` }));
    let isOver = false;
    const importing = run(...users).finally(() => {
      isOver = true;
    });
    await waitFor(async () => (await customer.get('/v2/user/user%200/devices')).status === 200, {
      what: 'the first user to be there',
    });
    for (let time = 0; time < 3; time += 1) await login('ada');
    expect(isOver).toBe(false);
    expect((await importing).filter(({ status }) => status === 'created')).toHaveLength(1000);
    expect((await customer.get('/v2/user/user%20999/devices')).status).toBe(200);
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

  test('deletes stored responses that name an erased user', async () => {
    const repeat = async () => {
      const { body, headers } = await customer.post(path, { users: [{ id: 'ada' }] }, { 'Idempotency-Key': 'one' });
      return [body.results[0].status, headers.get('Idempotent-Replayed')];
    };
    expect(await repeat()).toEqual(['created', null]);
    expect(await repeat()).toEqual(['created', 'true']);
    await customer.ask('/v2/user/ada/delete');
    expect(await repeat()).toEqual(['created', null]);
  });
});
