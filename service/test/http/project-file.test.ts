import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { sample } from '../../../test/package/samples.js';
import {
  addEndpoint,
  changeSettings,
  createKey,
  defaultSettings,
  listEndpoints,
  readSettings,
  removeEndpoint,
} from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf, submitForm } from '../support/forms.js';
import { type ApiOptions, startService, type TestProject, type TestService } from '../support/service.js';

/** Here, programs find the package. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/whorl-project/', import.meta.url));
const path = '/v2/project';
const hook = 'http://127.0.0.1:9/hooks';
const secretHook = 'http://127.0.0.1:9/secret?token=hush';

describeDatabases('a project as a file', (kind) => {
  let service: TestService;
  let project: TestProject;
  let key: string;
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    key = await keyOf(project);
  });

  const keyOf = ({ project: { id } }: TestProject) =>
    createKey(service.service, { project: id, mode: 'live', kind: 'secret', scopes: ['manage'], changedBy: 'test' });
  const add = (url: string, mode: 'live' | 'test' = 'live') =>
    addEndpoint(service.service, { project: project.project.id, mode, url, changedBy: 'test' });
  const get = (own = key) => service.api(path, { key: own });
  const put = (body: unknown, { headers = { 'If-Match': '*' }, ...options }: ApiOptions & { at?: string } = {}) =>
    service.api(options.at ?? path, { method: 'PUT', key, body, headers, ...options });
  const etagOf = async () => (await get()).headers.get('ETag') ?? '';
  const settings = () => readSettings(service.service, { project: project.project.id });
  const endpoints = (mode: 'live' | 'test' = 'live') =>
    listEndpoints(service.service, { project: project.project.id, mode });
  const urls = async (mode: 'live' | 'test' = 'live') => (await endpoints(mode)).map(({ url }) => url);
  /** Returns the log of the project without its creation and the test's own changes. */
  const log = () =>
    service.db
      .selectFrom('audit_log')
      .select(['kind', 'actor', 'changes'])
      .where('project_id', '=', project.project.id)
      .where('actor', 'like', 'key %')
      .orderBy('id')
      .execute();

  describe('GET', () => {
    test('returns what differs from the defaults, the endpoints, and the address of the schema', async () => {
      expect((await get()).body).toEqual({
        $schema: 'https://fraud.example/schemas/project.json',
        settings: {},
        lists: [],
        webhooks: { live: [], test: [] },
      });
      const changes = { device_limit: { overall: 3 }, learning_days: 0, allowed_origins: [origin] };
      await changeSettings(service.service, { project: project.project.id, changes, changedBy: 'test' });
      await add(hook, 'test');
      const answer = await get();
      expect(answer.body).toMatchObject({
        settings: { device_limit: { overall: 3 }, allowed_origins: [origin] },
        webhooks: { live: [], test: [{ url: hook }] },
      });
      expect(answer.body.settings).not.toHaveProperty('learning_days');
      expect(answer.headers.get('ETag')).toMatch(/^"[\w-]{22}"$/);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
    });

    test('contains no secret', async () => {
      const { secret } = await add(secretHook);
      const { live, test: inTest } = project.keys;
      const text = JSON.stringify((await get()).body);
      const { headers } = await get();
      for (const hidden of [secret, 'hush', 'whsec_', 'token', live.secret, live.publishable, inTest.secret, key]) {
        expect(text + JSON.stringify([...headers])).not.toContain(hidden);
        expect(text).not.toContain(hidden.slice(-8));
      }
      expect(text).toContain('http://127.0.0.1:9/secret"');
    });

    test('has another ETag after each change, also of the dashboard, and the same without one', async () => {
      const first = await etagOf();
      expect(await etagOf()).toBe(first);
      const email = `${service.service.newId()}@shop.example`;
      const admin = await administratorAt(service.url, service.service, email);
      const page = `/dashboard/${project.project.id}/live/settings/rolling-out`;
      await submitForm(admin, await admin.get(page), '/rolling-out', { learning_days: '5' });
      const second = await etagOf();
      const { id } = await add(hook);
      const third = await etagOf();
      expect(new Set([first, second, third]).size).toBe(3);
      await removeEndpoint(service.service, { project: project.project.id, mode: 'live', endpoint: id });
      expect(await etagOf()).toBe(second);
    });
  });

  describe('PUT', () => {
    const file = {
      settings: {
        mode: 'observe',
        device_limit: { overall: 3, mobile: 2 },
        allowed_origins: [origin],
        policy: { signup: { disposable_email: 'deny' } },
      },
      lists: [{ kind: 'address', value: '203.0.113.0/24', effect: 'block', note: 'Scraper' }],
      webhooks: { live: [{ url: hook }], test: [] },
    };

    test('changes settings, policy, lists, origins and webhooks, and returns the changes', async () => {
      const { status, body, headers } = await put(file);
      expect(status).toBe(200);
      expect(body.changes).toEqual([
        { change: 'changed', path: 'settings.mode', from: 'enforce', to: 'observe' },
        { change: 'changed', path: 'settings.device_limit.overall', from: 5, to: 3 },
        { change: 'changed', path: 'settings.device_limit.mobile', from: null, to: 2 },
        { change: 'added', path: 'settings.allowed_origins', to: origin },
        { change: 'added', path: 'settings.policy.signup.disposable_email', to: 'deny' },
        {
          change: 'added',
          path: 'lists.address',
          to: { value: '203.0.113.0/24', effect: 'block', note: 'Scraper' },
        },
        { change: 'added', path: 'webhooks.live', to: hook },
      ]);
      expect(body.project).toMatchObject(file);
      const stored = await get();
      expect(stored.body).toEqual(body.project);
      expect(stored.headers.get('ETag')).toBe(headers.get('ETag'));
      expect(await settings()).toMatchObject(file.settings);
      expect(await urls()).toEqual([hook]);
      expect(JSON.stringify(body)).not.toContain('whsec_');
    });

    test('takes effect at once', async () => {
      const page = { key: project.keys.live.publishable, headers: { Origin: origin }, body: {} };
      expect((await service.api('/v2/device/nonce', page)).status).toBe(403);
      await put(file);
      expect((await service.api('/v2/device/nonce', page)).status).toBe(200);
    });

    test('records each change with the key, once', async () => {
      await put(file);
      const { id } = await service.db
        .selectFrom('api_keys')
        .select('id')
        .where('hint', '=', key.slice(-4))
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      const actor = `key ${id}`;
      const { policy, ...others } = file.settings;
      const changed = (name: string, to: unknown) => [name, { from: null, to }] as const;
      expect(await log()).toEqual([
        {
          kind: 'settings_changed',
          actor,
          changes: Object.fromEntries([
            ...Object.entries(others).map(([name, to]) => changed(name, to)),
            changed('policy', policy),
          ]),
        },
        { kind: 'webhook_added', actor, changes: { webhook_added: { from: null, to: `${hook} (live)` } } },
        { kind: 'list_entries_added', actor, changes: null },
      ]);
      await put(file);
      await put((await get()).body);
      expect(await log()).toHaveLength(3);
    });

    test('changes nothing if applied twice, or with what GET returns', async () => {
      await put(file);
      await add(secretHook);
      await put({ settings: { ...file.settings, learning_days: 0 } });
      const { body, headers } = await get();
      const [before] = await endpoints();
      for (const again of [body, { ...body, $schema: 'https://elsewhere.example/schema' }, {}]) {
        const answer = await put(again, { headers: { 'If-Match': headers.get('ETag') ?? '' } });
        expect(answer).toMatchObject({ status: 200, body: { changes: [], project: body } });
        expect(answer.headers.get('ETag')).toBe(headers.get('ETag'));
      }
      expect(await urls()).toEqual([hook, secretHook]);
      expect((await endpoints())[0]?.secretMark).toBe(before?.secretMark);
    });

    test('leaves parts that are not there as they are, and completes parts that are', async () => {
      await put({ ...file, webhooks: { live: [{ url: hook }], test: [{ url: hook }] } });
      await put({ webhooks: { test: [] } });
      expect([await urls(), await urls('test'), (await settings()).mode]).toEqual([[hook], [], 'observe']);
      const { body } = await put({ settings: { device_limit: { mobile: 1 } } });
      expect(body.changes).toContainEqual({ change: 'changed', path: 'settings.mode', from: 'observe', to: 'enforce' });
      expect(body.changes).toContainEqual({
        change: 'removed',
        path: 'settings.policy.signup.disposable_email',
        from: 'deny',
      });
      expect(await settings()).toEqual({
        ...defaultSettings,
        device_limit: { ...defaultSettings.device_limit, mobile: 1 },
      });
      expect(await urls()).toEqual([hook]);
    });

    test('with dry_run, only returns the changes', async () => {
      await add(secretHook);
      const before = await get();
      const answer = await put(file, { at: `${path}?dry_run=true` });
      expect(answer.status).toBe(200);
      expect(answer.body.changes).toContainEqual({ change: 'added', path: 'webhooks.live', to: hook });
      expect(answer.body.changes).toContainEqual({
        change: 'removed',
        path: 'webhooks.live',
        from: 'http://127.0.0.1:9/secret',
      });
      expect(answer.body.project).toMatchObject(file);
      expect(answer.headers.get('ETag')).toBe(before.headers.get('ETag'));
      expect((await get()).body).toEqual(before.body);
      expect(await log()).toEqual([]);
    });

    test('refuses a file with errors, lists all of them, and changes nothing', async () => {
      await put(file);
      const [before, logged] = [await get(), await log()];
      const { status, body } = await put({
        setings: {},
        settings: {
          mode: 'sometimes',
          device_limit: { overal: 3, mobile: -1 },
          learning_days: 2.5,
          allowed_orgins: [],
          allowed_origins: [origin, 'shop.example/path'],
          policy: { login: { new_iq: 'deny', new_ip: 'maybe' }, dance: {} },
          admin_email: 'nobody',
          challenge_page: { name: 'a\u0000b' },
        },
        webhooks: {
          live: [{ url: hook }, { url: 'nonsense' }, { url: 'http://192.0.2.1/' }, { url: hook }],
          test: [{ url: 'https://user:password@shop.example/' }],
        },
      });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(new Map(body.errors.map(({ path: at, message }: Record<string, string>) => [at, message]))).toEqual(
        new Map([
          ['setings', 'is not a known field; did you mean `settings`?'],
          ['settings.mode', 'must be "enforce" or "observe"'],
          ['settings.device_limit.overal', 'is not a known field; did you mean `overall`?'],
          ['settings.device_limit.mobile', 'must be at least 0'],
          ['settings.learning_days', 'must be a whole number'],
          ['settings.allowed_orgins', 'is not a known field; did you mean `allowed_origins`?'],
          ['settings.allowed_origins.1', 'must be an origin such as https://shop.example, without a path'],
          ['settings.policy.login.new_iq', 'is not a known field; did you mean `new_ip`?'],
          ['settings.policy.login.new_ip', expect.stringMatching(/^must be "off", "report", .* or "deny"$/)],
          ['settings.policy.dance', 'is not a known field'],
          ['settings.admin_email', 'must be an email address'],
          ['settings.challenge_page.name', 'must be well-formed Unicode, without the character U+0000'],
          ['webhooks.live.1.url', 'is refused. The URL of a webhook endpoint must begin with https://'],
          [
            'webhooks.live.2.url',
            'is refused. Webhooks require https://, unless ALLOW_PRIVATE_WEBHOOKS allows the address',
          ],
          ['webhooks.live.3.url', 'is listed twice'],
          [
            'webhooks.test.0.url',
            'is refused. The URL of a webhook endpoint must not contain a user name, password or fragment',
          ],
        ]),
      );
      expect((await get()).body).toEqual(before.body);
      expect(await log()).toEqual(logged);
    });

    test.each<[string, unknown, string]>([
      ['a list', [], ''],
      ['settings that are a list', { settings: [] }, 'settings'],
      ['null', { settings: null }, 'settings'],
      [
        'an endpoint with a secret',
        { webhooks: { live: [{ url: hook, secret: 'whsec_x' }] } },
        'webhooks.live.0.secret',
      ],
      ['an endpoint without URL', { webhooks: { live: [{}] } }, 'webhooks.live.0.url'],
      ['another world', { webhooks: { staging: [] } }, 'webhooks.staging'],
      [
        'too many endpoints',
        { webhooks: { live: Array.from({ length: 21 }, () => ({ url: hook })) } },
        'webhooks.live',
      ],
      ['keys', { keys: [] }, 'keys'],
      ['a prototype', JSON.parse('{"__proto__":{"settings":{}}}'), '__proto__'],
      ['a name of all objects', { settings: { constructor: 1 } }, 'settings.constructor'],
    ])('refuses %s', async (_name, body, at) => {
      const before = await get();
      const answer = await put(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(at);
      expect((await get()).body).toEqual(before.body);
    });

    test('refuses the same receivers as the dashboard', async () => {
      const email = `${service.service.newId()}@shop.example`;
      const admin = await administratorAt(service.url, service.service, email);
      const page = await admin.get(`/dashboard/${project.project.id}/live/webhooks`);
      for (const url of ['http://10.0.0.1/', 'https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/']) {
        const shown = await submitForm(admin, page, '/webhooks', { url });
        const [form] = formsOf(shown.html).filter(({ fields }) => fields.has('url'));
        expect([shown.status, form?.fields.get('url')]).toEqual([422, url]);
        const answer = await put({ webhooks: { live: [{ url }] } });
        expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'webhooks.live.0.url' }] } });
        expect(shown.text).toContain(answer.body.errors[0].message.replace('is refused. ', ''));
      }
      expect(await urls()).toEqual([]);
    });

    test('keeps an endpoint whose exported URL has lost its query, and distinguishes others', async () => {
      const [first, second] = [await add(secretHook), await add(`${secretHook}2`)];
      const { body } = await get();
      expect(body.webhooks.live).toHaveLength(2);
      expect((await put(body)).body.changes).toEqual([]);
      // Named exactly, the second is kept, and the first is no longer in the file.
      await put({ webhooks: { live: [{ url: `${secretHook}2` }] } });
      expect((await endpoints()).map(({ id }) => id)).toEqual([second.id]);
      expect(first.id).not.toBe(second.id);
      const added = await put({ webhooks: { live: [{ url: `${secretHook}2` }, { url: secretHook }] } });
      expect(added.body.changes).toEqual([{ change: 'added', path: 'webhooks.live', to: 'http://127.0.0.1:9/secret' }]);
    });

    test('replaces lists as a whole, keeps entries that stay, and names what replaced a setting', async () => {
      const entry = { kind: 'user', value: 'ada', effect: 'allow' };
      const gone = { ...entry, value: 'bob', expires_at: '2020-01-01T00:00:00Z' };
      await put({ lists: [entry, { ...entry, value: 'cyd' }, gone] });
      const rows = () => service.db.selectFrom('list_entries').select(['id', 'value']).where('ended_at', 'is', null);
      const ids = () => rows().where('project_id', '=', project.project.id).orderBy('value').execute();
      const [ada, cyd] = await ids();
      expect([ada?.value, cyd?.value]).toEqual(['ada', 'cyd']);
      expect((await put({ settings: {} })).body.changes).toEqual([]);
      const { body } = await put({ lists: [entry, { ...entry, kind: 'country', value: 'de', effect: 'review' }] });
      expect(body.changes).toEqual([
        { change: 'removed', path: 'lists.user', from: { value: 'cyd', effect: 'allow' } },
        { change: 'added', path: 'lists.country', to: { value: 'DE', effect: 'review' } },
      ]);
      expect(await ids()).toEqual([expect.objectContaining({ value: 'DE' }), ada]);
      expect((await put((await get()).body)).body.changes).toEqual([]);
      const wrong = { settings: { allowed_users: ['ada'] }, lists: [{ ...entry, kind: 'asn' }] };
      expect((await put(wrong)).body.errors).toEqual([
        {
          path: 'settings.allowed_users',
          message: expect.stringMatching(
            /was replaced by lists: add entries of the kind `user` with the effect `allow`/,
          ),
        },
        { path: 'lists.0.value', message: 'must be the number of an autonomous system, such as 64496' },
      ]);
    });

    test('is limited in size, and bounds what it says about a bad file', async () => {
      const large = JSON.stringify({ filler: 'a'.repeat(1024 * 1024) });
      expect(await put(large)).toMatchObject({ status: 413, body: { code: 'too_large' } });
      const names = Array.from({ length: 20_000 }, (_, at) => [`${'n'.repeat(20)}${at}`, at]);
      const unknown = await put({ settings: Object.fromEntries(names), ...Object.fromEntries(names.slice(0, 500)) });
      expect(unknown.status).toBe(400);
      expect(unknown.body.errors.length).toBeLessThan(110);
      const origins = Array.from({ length: 20_000 }, (_, at) => `https://${at}.example`);
      const wide = await put({ settings: { allowed_origins: origins } });
      expect([wide.status, wide.body.changes.length]).toEqual([200, 20_000]);
      const deep = `{"settings":{"mode":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
      expect(await put(deep)).toMatchObject({ status: 400, body: { errors: [{ path: 'settings.mode' }] } });
    });

    test.each([
      ['malformed JSON', '{"settings":', { 'Content-Type': 'application/json' }, 400],
      ['another content type', '{}', { 'Content-Type': 'text/plain' }, 415],
      ['compressed', '{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, 415],
    ])('refuses %s', async (_name, body, headers, status) => {
      expect((await put(body, { headers: { 'If-Match': '*', ...headers } })).status).toBe(status);
    });
  });

  describe('If-Match', () => {
    const change = { settings: { learning_days: 3 } };
    const withTag = (tag: string, body: unknown = change) => put(body, { headers: { 'If-Match': tag } });

    test('is required', async () => {
      for (const headers of [{}, { 'If-Match': '' }, { 'If-Match': ' ' }]) {
        const answer = await put(change, { headers });
        expect(answer).toMatchObject({ status: 428, body: { code: 'precondition_required' } });
      }
      expect((await settings()).learning_days).toBe(0);
    });

    test('must name the current version', async () => {
      const etag = await etagOf();
      await changeSettings(service.service, {
        project: project.project.id,
        changes: { mode: 'observe' },
        changedBy: 'test',
      });
      for (const tag of [etag, '"other"', etag.slice(1, -1), 'W/"other"']) {
        expect(await withTag(tag)).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
      }
      expect((await settings()).learning_days).toBe(0);
      const current = await etagOf();
      expect((await withTag(`"other", ${current}`)).status).toBe(200);
    });

    test('may be weak, as a proxy that compresses makes it, or a star', async () => {
      expect((await withTag(`W/${await etagOf()}`)).status).toBe(200);
      expect((await withTag('*', { settings: {} })).status).toBe(200);
    });

    test('of two requests at once, one is carried out and the other refused', async () => {
      const etag = await etagOf();
      const tries = Array.from({ length: 2 }, (_, at) => at + 1);
      const answers = await Promise.all(
        tries.map((days) => withTag(etag, { settings: { learning_days: days }, webhooks: { live: [{ url: hook }] } })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect((await settings()).learning_days).toBe(tries[winner]);
      expect(await urls()).toEqual([hook]);
      expect(await log()).toHaveLength(2);
    });
  });

  describe('keys', () => {
    test('of another project change their own project only', async () => {
      const other = await service.newProject();
      const answer = await put({ settings: { mode: 'observe' } }, { key: await keyOf(other) });
      expect(answer.status).toBe(200);
      expect((await settings()).mode).toBe('enforce');
      expect((await readSettings(service.service, { project: other.project.id })).mode).toBe('observe');
    });

    test('that are publishable, for test mode, or without the scope are refused', async () => {
      const { live, test: inTest } = project.keys;
      const refused = [
        [live.secret, 'insufficient_scope'],
        [inTest.secret, 'insufficient_scope'],
        [live.publishable, 'forbidden'],
      ] as const;
      for (const [own, code] of refused) {
        const headers = { Origin: origin, 'If-Match': '*' };
        expect(await put({}, { key: own, headers })).toMatchObject({ status: 403, body: { code } });
        expect(await get(own)).toMatchObject({ status: 403, body: { code } });
      }
    });
  });

  test('POST and DELETE are not allowed', async () => {
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const answer = await service.api(path, { method, key });
      expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
      expect(answer.headers.get('Allow')).toBe('GET, HEAD, PUT');
    }
  });

  describe('the schema', () => {
    const validator = async () => {
      const { status, body, headers } = await service.api('/schemas/project.json');
      expect([status, headers.get('Content-Type')]).toEqual([200, 'application/schema+json']);
      return new Ajv({ strict: false, validateFormats: false }).compile(body);
    };

    test('accepts what GET returns', async () => {
      const validate = await validator();
      expect(validate((await get()).body)).toBe(true);
      await put({
        settings: { device_limit: { overall: null }, policy: { login: { new_ip: 'off' } }, admin_email: 'a@b.example' },
        webhooks: { live: [{ url: hook }] },
      });
      expect(validate((await get()).body), JSON.stringify(validate.errors)).toBe(true);
    });

    test.each([
      { settings: { mode: 'sometimes' } },
      { settings: { colour: 'red' } },
      { settings: { device_limit: { overal: 3 } } },
      { settings: { policy: { login: { nothing: 'deny' } } } },
      { settings: { policy: { dance: {} } } },
      { webhooks: { live: [{}] } },
      { webhooks: { live: [{ url: hook, secret: 'x' }] } },
      { keys: [] },
    ])('refuses %j, as PUT does', async (body) => {
      expect((await validator())(body)).toBe(false);
      expect((await put(body)).status).toBe(400);
    });
  });

  describe('the server client', () => {
    test('retrieves and replaces it', async () => {
      const whorl = new Whorl({ apiSecret: key, baseUrl: service.url });
      const { project: file, version } = await whorl.project.retrieve();
      const next = { ...file, settings: { ...file.settings, learning_days: 4 } };
      const dry = await whorl.project.replace(next, { version, dry_run: true });
      expect([dry.changes.length, dry.version]).toEqual([1, version]);
      const replaced = await whorl.project.replace(next, { version });
      expect(replaced).toMatchObject({ changes: dry.changes, project: next });
      expect(replaced.version).toBe((await whorl.project.retrieve()).version);
      await expect(whorl.project.replace(file, { version })).rejects.toMatchObject({ code: 'precondition_failed' });
    });

    test('runs the sample of the docs', async () => {
      const { code } = sample('docs/settings-as-code.md, Over HTTP, 2');
      const file = `${cache}${service.service.newId()}.mjs`;
      await mkdir(cache, { recursive: true });
      await writeFile(file, code.replace('https://whorl.example.com', service.url));
      const env = { ...process.env, WHORL_MANAGE_KEY: key };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
      await rm(file);
      expect(stdout).toContain("path: 'settings.device_limit.overall'");
      expect((await settings()).device_limit.overall).toBe(3);
    });
  });
});
