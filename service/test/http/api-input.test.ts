import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { createInventory, type Inventory, wideLimits } from '../support/operations.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };

describeDatabases('request validation', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let inventory: Inventory;
  beforeAll(async () => {
    service = await startService({ database: kind });
    project = await service.newProject(wideLimits);
    customer = customerOf(service, project);
    inventory = await createInventory(service, project);
  });
  afterAll(() => service.close());

  const refusedFields = async (path: string, body: object): Promise<string[]> => {
    const { status, body: answer } = await customer.post(path, body);
    if (status === 200) return [];
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
    return answer.errors.map((error: { path: string }) => error.path);
  };
  const evaluating = (more: object) => refusedFields('/v2/device/evaluate', { ...login, ...more });

  describe('evaluation requests', () => {
    test.each([
      ['action', ['Login', 'log-in', 'lo gin', '', 'a'.repeat(65), 'lögin', null]],
      ['user', ['', null, 'a\u0000b', 'a\nb', '\u007f', 'a'.repeat(257), '\ud800', 'a\udc00b']],
      ['fingerprint', ['a'.repeat(4097), 'a\u0000', '\udfff']],
      ['last_fingerprint', ['a'.repeat(4097), '\u0000']],
      [
        'ip',
        [
          '1.2.3',
          '1.2.3.4.5',
          '256.1.1.1',
          '0x7f.1',
          '127.1',
          '1.2.3.4/24',
          '::g',
          'fe80::1%eth0',
          ' 1.2.3.4',
          'localhost',
        ],
      ],
      ['version', ['1\u0000', 'a'.repeat(65)]],
      ['email', [7, {}, ['ada@example.com']]],
      ['phone', [4930123456, true]],
      ['user_agent', ['a'.repeat(2049), '\u0000', '\ud83d']],
      ['metadata', ['text', [], 1, true]],
    ])('rejects invalid %s: %j', async (field, values) => {
      for (const value of values) expect(await evaluating({ [field]: value }), JSON.stringify(value)).toEqual([field]);
    });

    test.each([
      ['action', ['a', 'two_factor_2', 'a'.repeat(64), '0']],
      [
        'user',
        ['a', 'a'.repeat(256), 'Zoë / 漢字 🎉', '00000000-0000-7000-8000-000000000000', "'; drop table users; --"],
      ],
      ['fingerprint', ['', null, 'opaque', 'a'.repeat(4096), 'null', '{"a":1}', 'two\nlines']],
      ['ip', ['1.2.3.4', '::1', '2001:db8::1', '2001:DB8:0:0:0:0:0:1', '::ffff:1.2.3.4', '', null]],
      ['last_fingerprint', ['', null]],
      ['email', ['', null, 'no address at all', 'a\u0000@example.com', 'a'.repeat(321)]],
      ['phone', ['', null, '12', '+\u00004']],
      ['version', ['', null, '99.0.0-rc.1+build']],
      ['user_agent', ['', null, 'curl/8']],
      ['metadata', ['', null, {}]],
    ])('accepts valid %s: %j', async (field, values) => {
      for (const value of values) expect(await evaluating({ [field]: value }), JSON.stringify(value)).toEqual([]);
    });

    test('reports all errors at once', async () => {
      expect(await evaluating({ action: 'NO', user: '', ip: 'nowhere' })).toEqual(['action', 'user', 'ip']);
    });

    test('does not repeat rejected values', async () => {
      const { body } = await customer.post('/v2/device/evaluate', {
        ...login,
        version: 'secret-value\u0000',
        ip: 'secret-value',
      });
      expect(JSON.stringify(body)).not.toContain('secret-value');
    });
  });

  describe('metadata', () => {
    const bytes = (total: number) => ({ filler: 'a'.repeat(total - '{"filler":""}'.length) });
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });

    test('is limited to 16 KiB', async () => {
      expect(await evaluating({ metadata: bytes(16 * 1024) })).toEqual([]);
      expect(await evaluating({ metadata: bytes(16 * 1024 + 1) })).toEqual(['metadata']);
    });

    test('is limited to 32 levels, even if the request is much deeper', async () => {
      expect(await evaluating({ metadata: nested(32) })).toEqual([]);
      expect(await evaluating({ metadata: nested(33) })).toEqual(['metadata']);
      const deep = `{"action":"login","user":"ada","fingerprint":"f","metadata":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`;
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await service.api('/v2/device/evaluate', {
        key: project.keys.live.secret,
        method: 'POST',
        body: deep,
        headers,
      });
      expect(status).toBe(400);
    });

    test.each<[string, object]>([
      ['U+0000', { note: 'a\u0000b' }],
      ['U+0000 deep inside', { list: [{ deep: ['\u0000'] }] }],
      ['U+0000 in a name', { in: { 'a\u0000': 1 } }],
      ['half a character', { note: '\ud83d' }],
      ['half a character in a name', { '\udc00': 1 }],
    ])('cannot hold %s', async (_name, metadata) => {
      expect(await evaluating({ metadata })).toEqual(['metadata']);
      const path = `/v2/device/${inventory.device}/metadata`;
      expect(await refusedFields(path, { metadata })).toEqual(['metadata']);
      expect(await refusedFields('/v2/user/ada/update', { metadata })).toEqual(['metadata']);
    });

    test('cannot hold a number that is too large', async () => {
      const body = '{"metadata":{"list":[1e309]}}';
      const headers = { 'Content-Type': 'application/json' };
      const options = { key: project.keys.live.secret, method: 'POST', body, headers };
      for (const path of [`/v2/device/${inventory.device}/metadata`, '/v2/user/ada/update']) {
        expect(await service.api(path, options)).toMatchObject({
          status: 400,
          body: { errors: [{ path: 'metadata' }] },
        });
      }
    });

    test('is returned unchanged, and null removes a key', async () => {
      const path = `/v2/device/${inventory.device}/metadata`;
      const metadata = { text: 'Zoë 🎉', list: [1, null, { a: true }], huge: 1e300, empty: '' };
      expect((await customer.ask(path, { metadata })).metadata).toEqual(metadata);
      expect((await customer.ask(path, { metadata: { list: null, huge: null } })).metadata).toEqual({
        text: 'Zoë 🎉',
        empty: '',
      });
    });

    test('cannot change prototypes', async () => {
      const body =
        '{"metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"kept":1}}';
      const headers = { 'Content-Type': 'application/json' };
      const path = `/v2/device/${inventory.device}/metadata`;
      const answer = await service.api(path, { key: project.keys.live.secret, method: 'POST', body, headers });
      expect(answer.body.metadata.kept).toBe(1);
      expect(Object.prototype).not.toHaveProperty('polluted');
    });
  });

  describe('"" and null', () => {
    test('clear a field of a user where null does, and "" is absent', async () => {
      const path = '/v2/user/ada/update';
      expect(await customer.ask(path, { email: 'ada@example.com', phone: '+14155550123' })).toMatchObject({
        email: 'a***@e******.com',
      });
      expect(await customer.ask(path, { email: '', phone: '', metadata: '', status: null })).toHaveProperty('email');
      const cleared = await customer.ask(path, { email: null, metadata: null });
      expect(cleared).not.toHaveProperty('email');
      expect(cleared).toMatchObject({ phone: expect.any(String), metadata: {}, status: 'active' });
    });

    test('are ignored in optional query parameters', async () => {
      const { body } = await customer.get('/v2/challenges?page=&limit=&start_date=&end_date=');
      expect(body).toMatchObject({ page: 1, limit: 10 });
    });

    test('count as missing in required fields', async () => {
      expect(
        await refusedFields(`/v2/evaluations/${inventory.evaluation}/consume`, { user: null, action: '' }),
      ).toEqual(['user', 'action']);
    });
  });

  describe('user IDs in paths', () => {
    test.each(['a/b', 'a?b=c#d', 'Zoë 🎉', '%2F', '...', 'a b+c', 'evaluate'])('accepts %j', async (user) => {
      await customer.evaluate({ ...login, action: 'signup', user, fingerprint: phone });
      const { body } = await customer.get(`/v2/user/${encodeURIComponent(user)}/devices`);
      expect(body).toMatchObject({ total: 1 });
    });

    test("accepts the service's own ID", async () => {
      const { body } = await customer.get('/v2/user/ada/devices');
      const { status } = await customer.get(`/v2/user/${body.data[0].user}/devices`);
      expect(status).toBe(200);
    });
  });

  test('deprecated endpoints announce it and name their successors', async () => {
    const { device } = inventory;
    const list = await customer.get('/v2/proj/user/ada%2Fb/devices');
    expect(list.headers.get('Deprecation')).toMatch(/^@\d+$/);
    expect(list.headers.get('Link')).toBe('</v2/user/ada%2Fb/devices>; rel="successor-version"');
    const metadata = await customer.post(`/v2/proj/device/${device}/metadata`, { metadata: {} });
    expect(metadata.headers.get('Link')).toBe(`</v2/device/${device}/metadata>; rel="successor-version"`);
    for (const path of ['/v2/proj/access-history', '/v2/user/ada/devices']) {
      expect((await customer.get(path)).headers.get('Deprecation')).toBeNull();
    }
  });

  test('both paths of the evaluation endpoint behave the same', async () => {
    const user = { ...login, user: 'ada', ip: elsewhere };
    const [one, other] = [
      await customer.ask('/v2/device/evaluate', user),
      await customer.ask('/v2/devices/evaluate', user),
    ];
    expect(other).toMatchObject({ verdict: one.verdict, device_id: one.device_id, challenge_id: one.challenge_id });
  });
});
