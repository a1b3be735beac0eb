import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { administratorAt } from '../support/admin.js';
import { origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf, submitForm } from '../support/forms.js';
import { exampleFile, hook, projectFilesOf } from '../support/project-files.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

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

  const { keyOf, get, put, urls, log } = projectFilesOf(() => ({ service, project, key }));

  describe('PUT', () => {
    const file = exampleFile;

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
});
