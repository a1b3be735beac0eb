import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, findCaller, listKeys, rotateKey } from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { submitForm } from '../support/forms.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { SeenPage } from '../support/visitor.js';

describeDatabases('scopes of secret keys', (kind) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
  });

  type Scopes = Parameters<typeof createKey>[1]['scopes'];
  const keyWith = (scopes: Scopes, more: { mode?: 'live' | 'test'; kind?: 'secret' | 'publishable' } = {}) =>
    createKey(service.service, { project: project.project.id, mode: 'live', kind: 'secret', ...more, scopes });
  const rotate = (scopes: Scopes) =>
    rotateKey(service.service, {
      project: project.project.id,
      mode: 'live',
      kind: 'secret',
      scopes,
      keepOldForHours: 0,
    });
  const works = async (key: string) => (await findCaller(service.service, key)) !== undefined;
  const get = (key: string, path: string) => service.api(path, { key });
  const evaluate = (key: string) =>
    service.api('/v2/device/evaluate', {
      key,
      body: { action: 'login', user: 'ada', fingerprint: fingerprintOf({ seed: 'laptop' }), ip: '198.51.100.7' },
    });
  const refused = { status: 403, body: { code: 'insufficient_scope' } };

  test('the first keys of a project, and keys created without a choice, have `evaluate`', async () => {
    await keyWith(undefined);
    const keys = await listKeys(service.service, { project: project.project.id });
    expect(keys.filter((key) => key.kind === 'secret').map(({ scopes }) => scopes)).toEqual([
      ['evaluate'],
      ['evaluate'],
      ['evaluate'],
    ]);
    expect(keys.filter((key) => key.kind === 'publishable').flatMap(({ scopes }) => scopes)).toEqual([]);
  });

  test('`read` allows GET and nothing else', async () => {
    const key = await keyWith(['read']);
    expect(await get(key, '/v2/challenges')).toMatchObject({ status: 200 });
    const answer = await evaluate(key);
    expect(answer).toMatchObject(refused);
    expect(answer.body).toMatchObject({
      type: expect.stringMatching(/#error-insufficient_scope$/),
      title: 'The key lacks a scope',
      detail: 'This endpoint requires a key with the scope `evaluate`. The key has `read`.',
    });
    expect(answer.headers.get('WWW-Authenticate')).toContain('error="insufficient_scope"');
    expect((await get(project.keys.live.secret, '/v2/user/ada/devices')).status).toBe(404);
    expect(await get(key, '/v2/project')).toMatchObject(refused);
  });

  test('`manage` allows only the project', async () => {
    const key = await keyWith(['manage']);
    expect(await get(key, '/v2/project')).toMatchObject({ status: 200 });
    const { body } = await get(key, '/v2/challenges');
    expect(body.detail).toBe('This endpoint requires a key with the scope `evaluate` or `read`. The key has `manage`.');
    expect(await evaluate(key)).toMatchObject(refused);
  });

  test('`evaluate` allows everything except the project, and a key can have several scopes', async () => {
    expect(await get(project.keys.live.secret, '/v2/challenges')).toMatchObject({ status: 200 });
    expect(await evaluate(project.keys.live.secret)).toMatchObject({ status: 200 });
    expect(await get(project.keys.live.secret, '/v2/project')).toMatchObject(refused);
    const both = await keyWith(['manage', 'evaluate']);
    expect(await findCaller(service.service, both)).toMatchObject({ scopes: ['evaluate', 'manage'] });
    expect(await get(both, '/v2/project')).toMatchObject({ status: 200 });
    expect(await evaluate(both)).toMatchObject({ status: 200 });
  });

  test('a request that the scope does not allow is refused before its body is read', async () => {
    const key = await keyWith(['read']);
    const answer = await service.api('/v2/device/evaluate', { key, body: '{"action":' });
    expect(answer).toMatchObject(refused);
  });

  test.each<[string, Parameters<typeof keyWith>, string]>([
    ['none', [[]], 'A secret key needs a scope.'],
    ['`manage` for a test key', [['manage'], { mode: 'test' }], 'A test key cannot have the scope "manage"'],
    ['any for a publishable key', [['read'], { kind: 'publishable' }], 'A publishable key has no scopes.'],
  ])('are refused: %s', async (_name, choice, message) => {
    await expect(async () => keyWith(...choice)).rejects.toThrow(message);
    expect(await listKeys(service.service, { project: project.project.id })).toHaveLength(4);
  });

  test('a rotation replaces only the key with the same scopes, and keeps them', async () => {
    const [reader, manager] = [await keyWith(['read']), await keyWith(['manage'])];
    const newer = await rotate(['read']);
    expect(await Promise.all([reader, newer, manager, project.keys.live.secret].map(works))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(await findCaller(service.service, newer)).toMatchObject({ scopes: ['read'] });
    await rotate(undefined);
    expect(await Promise.all([newer, manager, project.keys.live.secret].map(works))).toEqual([true, true, false]);
  });

  test('two keys are allowed for each choice of scopes', async () => {
    await keyWith(['read']);
    await keyWith(['read']);
    await expect(keyWith(['read'])).rejects.toThrow('already 2 active keys of this kind with these scopes');
    await keyWith(['read', 'manage']);
    await keyWith(undefined);
    await expect(keyWith(undefined)).rejects.toThrow('already 2 active keys');
  });

  describe('on the dashboard', () => {
    const keyIn = ({ html }: SeenPage) => /value="(sk_(?:live|test)_\w+)"/.exec(html)?.[1] ?? '';
    const open = async (mode: 'live' | 'test') => {
      const email = `${service.service.newId()}@shop.example`;
      const admin = await administratorAt(service.url, service.service, email);
      const path = `/dashboard/${project.project.id}/${mode}/keys`;
      return { admin, path, keys: () => admin.get(path) };
    };

    test('are chosen for a new key, and shown', async () => {
      const { admin, path, keys } = await open('live');
      const chosen = { scope_evaluate: undefined, scope_read: 'on', scope_manage: 'on' };
      const key = keyIn(await submitForm(admin, await keys(), '/keys', chosen));
      expect(await findCaller(service.service, key)).toMatchObject({ scopes: ['read', 'manage'] });
      const page = await keys();
      expect(page.text).toContain(`sk_live_…${key.slice(-4)} secret read, manage`);
      const [, rotation = ''] = new RegExp(`href="([^"]*/rotate)" aria-label="Rotate sk_live_…${key.slice(-4)}"`).exec(
        page.html,
      ) ?? [''];
      const rotating = await admin.get(rotation);
      expect(rotating.text).toContain('Creates a new secret key with the scopes read, manage');
      const newer = keyIn(await submitForm(admin, rotating, '/rotate', { keep_hours: '0' }));
      expect(await findCaller(service.service, newer)).toMatchObject({ scopes: ['read', 'manage'] });
      expect(await works(project.keys.live.secret)).toBe(true);
      const log = (await admin.get(`${path.replace('/keys', '/settings')}`)).text;
      expect(log).toContain(`Key created: sk_live_…${key.slice(-4)} (read, manage)`);
    });

    test('must be at least one, and are kept out of test keys', async () => {
      const { admin, keys } = await open('live');
      const none = await submitForm(admin, await keys(), '/keys', { scope_evaluate: undefined });
      expect((await admin.get(none.headers.get('Location') ?? '')).text).toContain('A secret key needs a scope.');
      const inTest = await open('test');
      const page = await inTest.keys();
      expect(page.html).not.toContain('scope_manage');
      const forged = await submitForm(inTest.admin, page, '/keys', { scope_manage: 'on' });
      expect((await inTest.admin.get(forged.headers.get('Location') ?? '')).text).toContain('cannot have the scope');
    });
  });
});
