import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { facets } from 'whorl/fingerprint';
import { type Customer, customerOf, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { holdKey, provingCustomerOf } from '../support/proof.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

interface Warning {
  readonly path: string;
  readonly message: string;
}

/** Causes no warning except for the missing proof. */
const proof = 'a proof';
const complete = { action: 'login', user: 'ada', fingerprint: laptop, ip: home, proof };

describeDatabases('warnings with test keys', (kind) => {
  let service: TestService;
  let project: TestProject;
  let live: Customer;
  let tester: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    live = customerOf(service, project);
    tester = customerOf(service, project, 'test');
  });

  const claimAs = async (mode: 'live' | 'test', more: object = {}) => {
    const { ip: _, ...request } = complete;
    const { body } = await service.api('/v2/device/evaluate', {
      key: project.keys[mode].publishable,
      headers: { Origin: origin },
      body: { ...request, ...more },
    });
    return body;
  };
  const attachment = { user: 'ada', fingerprint: laptop, ip: home, proof };
  /** Operations that return warnings, each with a request that causes none. */
  const operations: [name: string, ask: (of: Customer, more?: object) => Promise<{ warnings?: Warning[] }>][] = [
    ['evaluate', (of, more) => of.evaluate({ ...complete, ...more })],
    ['attach', (of, more) => of.ask('/v2/device/attach', { ...attachment, ...more })],
    ['update', (of, more) => of.ask('/v2/user/ada/update', { metadata: {}, ...more })],
    [
      'consume',
      async (of, more) => {
        const { evaluation_id } = await claimAs(of === live ? 'live' : 'test');
        return of.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ada', action: 'login', ...more });
      },
    ],
  ];

  describe.each(operations)('%s', (_name, ask) => {
    test('returns an empty list if there is nothing to warn about', async () => {
      expect((await ask(tester)).warnings).toEqual([]);
    });

    test('never returns warnings for live keys', async () => {
      expect(await ask(live, { usr: 'ada' })).not.toHaveProperty('warnings');
    });

    test('warns about unknown fields', async () => {
      expect((await ask(tester, { colour: 'blue' })).warnings).toEqual([
        { path: 'colour', message: 'is not a known field and was ignored' },
      ]);
    });
  });

  test.each([
    ['last_fingerprnt', 'last_fingerprint'],
    ['lastFingerprint', 'last_fingerprint'],
    ['userAgent', 'user_agent'],
    ['mail', 'email'],
    ['meta_data', 'metadata'],
    ['IP', 'ip'],
    ['emial', 'email'],
  ])('suggests for %s: %s', async (given, meant) => {
    const { warnings } = await tester.evaluate({ ...complete, [given]: 'x' });
    const message = `is not a known field and was ignored; did you mean \`${meant}\`?`;
    expect(warnings).toEqual([{ path: given, message }]);
  });

  test.each([
    [
      'an opaque fingerprint',
      { fingerprint: 'a8f5f167f44f4964e6c998dee827110c' },
      'fingerprint',
      'was not created by the browser package',
    ],
    ['a placeholder', { fingerprint: 'undefined' }, 'fingerprint', 'placeholder'],
    ['a placeholder as the last one', { last_fingerprint: '[object Object]' }, 'last_fingerprint', 'placeholder'],
    [
      'a fingerprint with little in it',
      { fingerprint: fingerprintOf({ seed: 'noise', missing: facets.map(({ name }) => name) }) },
      'fingerprint',
      'too few',
    ],
    ['no address', { ip: undefined }, 'ip', 'is missing'],
    ['no proof', { proof: undefined }, 'proof', 'is missing'],
  ])('%s: evaluate and attach', async (_name, more, path, words) => {
    const { action: _, ...attaching } = complete;
    for (const { warnings } of [
      await tester.evaluate({ ...complete, ...more }),
      await tester.ask('/v2/device/attach', { ...attaching, fingerprint: phone, ...more }),
    ]) {
      expect(warnings).toEqual([{ path, message: expect.stringContaining(words) }]);
    }
  });

  test('a proof of a page at an origin that is not allowed: evaluate and attach', async () => {
    const proving = provingCustomerOf(service, project, 'test');
    const { action: _, ...attaching } = complete;
    const prove = async (from: string) => ({ proof: await proving.proofOf(await holdKey(), { origin: from }) });
    const ask = async (from: string) => [
      await tester.evaluate({ ...complete, ...(await prove(from)) }),
      await tester.ask('/v2/device/attach', { ...attaching, ...(await prove(from)) }),
    ];
    for (const [from, words] of [
      [
        'https://unknown.example',
        "the page's origin, https://unknown.example, is not in the project's `allowed_origins`",
      ],
      ['https://unknown.example/a\nb', "the page's origin is not in the project's `allowed_origins`"],
    ] as const) {
      for (const { warnings } of await ask(from)) {
        expect(warnings).toEqual([{ path: 'proof', message: expect.stringContaining(words) }]);
      }
    }
    for (const { warnings } of await ask(origin)) expect(warnings).toEqual([]);
  });

  // An update is refused instead.
  describe.each(operations.filter(([name]) => name !== 'update'))('contacts: %s', (_name, ask) => {
    const contacts = async () => {
      const { email, phone } = (await tester.get('/v2/user/ada/export')).body.user;
      return { email, phone };
    };

    test('warns about invalid contacts and ignores them', async () => {
      const { warnings } = await ask(tester, { email: 'nobody', phone: '0170 1234567' });
      expect(warnings).toEqual([
        { path: 'email', message: expect.stringContaining('is not an email address') },
        { path: 'phone', message: expect.stringContaining('default_country') },
      ]);
      expect(await contacts()).toEqual({});
    });
  });

  describe.each(operations)('national numbers: %s', (_name, ask) => {
    test("are parsed with the project's default country", async () => {
      project = await service.newProject({ allowed_origins: [origin], default_country: 'DE' });
      tester = customerOf(service, project, 'test');
      const { warnings } = await ask(tester, { email: ' Ada@example.com ', phone: '0170 1234567' });
      expect(warnings).toEqual([]);
      const { user } = (await tester.get('/v2/user/ada/export')).body;
      expect(user).toMatchObject({ email: 'Ada@example.com', phone: '+491701234567' });
    });
  });

  test('only an update replaces a contact; evaluate, attach and consume do not', async () => {
    await tester.ask('/v2/user/ada/update', { email: 'first@example.com' });
    await tester.evaluate({ ...complete, email: 'second@example.com', phone: '+491701234567' });
    await tester.ask('/v2/device/attach', { ...attachment, email: 'third@example.com' });
    const { evaluation_id } = await claimAs('test');
    const consumed = { user: 'ada', action: 'login', email: 'fourth@example.com' };
    await tester.ask(`/v2/evaluations/${evaluation_id}/consume`, consumed);
    const read = async () => (await tester.get('/v2/user/ada/export')).body.user;
    expect(await read()).toMatchObject({ email: 'first@example.com', phone: '+491701234567' });
    await tester.ask('/v2/user/ada/update', { email: 'second@example.com' });
    expect(await read()).toMatchObject({ email: 'second@example.com' });
  });

  test('do not contain values of the request', async () => {
    const { warnings } = await tester.evaluate({ ...complete, fingerprint: 'secret-value', emial: 'secret-value' });
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(warnings)).not.toContain('secret-value');
  });

  test('are limited in number and length', async () => {
    const strange = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${'x'.repeat(90)}${at}`, 1]));
    const { warnings } = await tester.evaluate({ ...complete, ...strange });
    expect(warnings).toHaveLength(100);
    expect(warnings.at(-1).message).toContain('401 more');
    expect(Math.max(...warnings.map(({ path }: Warning) => path.length))).toBeLessThanOrEqual(64);
  });

  describe('with a publishable key', () => {
    test('depend only on the request', async () => {
      expect((await claimAs('test')).warnings).toEqual([]);
      const { warnings } = await claimAs('test', { ip: home, usr: 'ada', fingerprint: 'opaque', proof: undefined });
      expect(warnings.map(({ path }: Warning) => path)).toEqual(['ip', 'usr', 'fingerprint', 'proof']);
      await tester.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop });
      await tester.ask('/v2/user/ada/update', { status: 'suspended' });
      expect((await claimAs('test')).warnings).toEqual([]);
    });

    test('are never returned for a live key', async () => {
      expect(await claimAs('live', { usr: 'ada' })).not.toHaveProperty('warnings');
    });
  });

  test('are the same when a request is repeated', async () => {
    const request = { ...complete, colour: 'blue' };
    const headers = { 'Idempotency-Key': 'one' };
    const [one, other] = [
      await tester.post('/v2/device/evaluate', request, headers),
      await tester.post('/v2/device/evaluate', request, headers),
    ];
    expect(other.headers.get('Idempotent-Replayed')).toBe('true');
    expect(other.body).toEqual(one.body);
    expect(other.body.warnings).toHaveLength(1);
  });
});
