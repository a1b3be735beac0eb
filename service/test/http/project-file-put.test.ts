import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/testing.js';
import { origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { exampleFile, hook, path, projectFilesOf, secretHook } from '../support/project-files.js';
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

  const { keyOf, add, get, put, settings, endpoints, urls, log } = projectFilesOf(() => ({ service, project, key }));

  describe('PUT', () => {
    const file = exampleFile;

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
  });
});
