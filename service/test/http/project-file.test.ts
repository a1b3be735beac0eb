import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { sample } from '../../../test/package/samples.js';
import { changeSettings, readSettings, removeEndpoint } from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { hook, path, projectFilesOf, secretHook } from '../support/project-files.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** Here, programs find the package. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/whorl-project/', import.meta.url));

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

  const { keyOf, add, get, put, etagOf, settings, urls, log } = projectFilesOf(() => ({ service, project, key }));

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
