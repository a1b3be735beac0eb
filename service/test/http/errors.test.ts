import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { createInventory, wideLimits } from '../support/operations.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const personal = { user: 'ada-lovelace', email: 'ada@personal.example', phone: '+14155550123', ip: home };
const login = { action: 'login', fingerprint: laptop, metadata: { note: 'a personal note' }, ...personal };

describeDatabases('errors', (kind) => {
  let service: TestService;
  let project: TestProject;
  let second: SecondApp;
  beforeAll(async () => {
    service = await startService({ database: kind });
    project = await service.newProject(wideLimits);
    second = await openSecondApp(service.service);
  });
  afterAll(async () => {
    await second.close();
    await service.close();
  });

  const key = () => project.keys.live.secret;
  const post = (path: string, body: object) =>
    fetch(second.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${key()}`, 'Content-Type': 'application/json' },
    });

  test('about an ID that this world does not have say where it may belong', async () => {
    const id = '019aa4c0-5301-7e10-9f77-3d2c1b0a9f06';
    const { challenge_id, device_id, evaluation_id } = await customerOf(service, project).challenge('mode');
    const asked = [id, challenge_id, device_id, evaluation_id].flatMap((each) => [
      ['GET', `/v2/challenges/${each}`],
      ['POST', `/v2/challenges/${each}/send`],
      ['POST', `/v2/device/${each}/detach`],
      ['GET', `/v2/evaluations/${each}`],
      ['GET', `/v2/user/${each}/devices`],
    ]);
    for (const [method, path] of asked) {
      // The same project, in the other mode.
      const { status, body } = await service.api(path ?? '', {
        key: project.keys.test.secret,
        ...(method === 'POST' && { body: {} }),
      });
      expect([path, status, body.detail]).toEqual([
        path,
        404,
        expect.stringContaining('It may belong to the other mode (test or live) or to another project.'),
      ]);
    }
  });

  test('are problem details (RFC 9457)', async () => {
    const { status, body, headers } = await service.api('/v2/nothing/here', { key: key() });
    expect(headers.get('Content-Type')).toBe('application/problem+json');
    expect(status).toBe(404);
    expect(body).toEqual({
      type: 'https://fraud.example/docs/api#error-not_found',
      title: expect.any(String),
      status: 404,
      detail: 'This path does not exist.',
      code: 'not_found',
      request_id: headers.get('X-Request-Id'),
    });
  });

  test.each(['/', '/v2', '/v2/', '/v2/challenges/', '/v1/challenges', '/v2/device', '/%', '/v2/device/x/y/z'])(
    '404: %s is nowhere, with a key or without',
    async (path) => {
      for (const options of [{}, { key: key() }, { method: 'POST', body: {} }]) {
        expect((await service.api(path, options)).body).toMatchObject({ status: 404, code: 'not_found' });
      }
    },
  );

  test('405: public URLs accept only GET and HEAD', async () => {
    const { status, headers } = await service.api('/openapi.json', { method: 'POST' });
    expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${service.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  describe('the request ID', () => {
    test('is generated, or taken from the request if valid', async () => {
      const own = await service.api('/healthz');
      const other = await service.api('/healthz');
      expect(own.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
      expect(other.headers.get('X-Request-Id')).not.toBe(own.headers.get('X-Request-Id'));
      for (const id of ['a', 'trace-1.2_3', 'x'.repeat(64)]) {
        const { headers, body } = await service.api('/nowhere', { headers: { 'X-Request-Id': id } });
        expect([headers.get('X-Request-Id'), body.request_id]).toEqual([id, id]);
      }
    });

    test.each(['x'.repeat(65), 'a b', '<script>', 'a;b', '"'])('is not %j', async (id) => {
      const { headers, body } = await service.api('/nowhere', { headers: { 'X-Request-Id': id } });
      expect(headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
      expect(body.request_id).toBe(headers.get('X-Request-Id'));
    });
  });

  test('every response forbids content sniffing', async () => {
    for (const path of ['/v2/challenges', '/nowhere', '/healthz', '/.well-known/jwks.json']) {
      const { headers } = await service.api(path);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    }
  });

  test('500: an internal error reveals nothing, and is logged with the request ID', async () => {
    await createInventory(service, project);
    await sql`alter table evaluations rename to evaluations_gone`.execute(service.db);
    try {
      const response = await post('/v2/device/evaluate', login);
      const text = await response.text();
      expect(response.status).toBe(500);
      expect(JSON.parse(text)).toMatchObject({ code: 'internal', detail: 'Internal error' });
      expect(text).not.toMatch(/evaluations|relation|select|\.ts|\.js|at /i);
      const id = response.headers.get('X-Request-Id');
      const logged = second.lines.filter((line) => line.request_id === id && line.level === 'error');
      expect(logged).toHaveLength(1);
      expect(JSON.stringify(logged)).toContain('evaluations');
    } finally {
      await sql`alter table evaluations_gone rename to evaluations`.execute(service.db);
    }
    expect(await customerOf(service, project).post('/v2/device/evaluate', login)).toMatchObject({ status: 200 });
  });

  describe('the log', () => {
    test('has a line per request with project, route and outcome', async () => {
      const response = await post('/v2/user/ada-lovelace/update', { status: 'active' });
      const line = second.lines.find(({ request_id }) => request_id === response.headers.get('X-Request-Id'));
      expect(line).toMatchObject({
        level: 'info',
        method: 'POST',
        route: '/v2/user/{id}/update',
        status: response.status,
        duration_ms: expect.any(Number),
        project: project.project.id,
      });
    });

    test('contains no personal data, keys or full IP addresses', async () => {
      await post('/v2/device/evaluate', login);
      await post('/v2/device/evaluate', { ...login, ip: 'nonsense', version: `${login.email}\u0000` });
      await post('/v2/user/ada-lovelace/nowhere', login);
      await fetch(`${second.url}/v2/proj/access-history?user=ada-lovelace&page=nonsense`, {
        headers: { Authorization: `Bearer ${key()}` },
      });
      await fetch(`${second.url}/v2/user/ada-lovelace/devices`, { headers: { Authorization: 'Bearer sk_live_wrong' } });
      const log = second.log();
      expect(second.lines.length).toBeGreaterThan(4);
      for (const value of [...Object.values(personal), laptop, 'personal note', 'nonsense', key(), 'sk_live_wrong']) {
        expect(log).not.toContain(value);
      }
    });
  });

  describe('readiness', () => {
    test('requires health and an up-to-date schema', async () => {
      expect(await service.api('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await service.api('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    });

    test('fails while a migration is missing', async () => {
      const { rows } = await sql<{ name: string; timestamp: string }>`
        delete from kysely_migration where name = (select max(name) from kysely_migration) returning name, timestamp
      `.execute(service.db);
      expect(await service.api('/readyz')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(await service.api('/healthz')).toMatchObject({ status: 200 });
      for (const { name, timestamp } of rows) {
        await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(service.db);
      }
      expect(await service.api('/readyz')).toMatchObject({ status: 200 });
    });
  });

  test('metrics count requests by route and status, verdicts and reasons, without personal data', async () => {
    await post('/v2/device/evaluate', {
      ...login,
      action: 'signup',
      user: 'metrics-user',
      email: 'no address',
      phone: 'no number',
    });
    await post('/v2/device/evaluate', { ...login, action: 'an_action_of_their_own', user: 'metrics-user' });
    await fetch(`${second.url}/v2/user/ada-lovelace/devices`);
    await fetch(`${second.url}/made/up`, { method: 'PURGE' });
    const response = await fetch(`${second.url}/metrics`);
    const text = await response.text();
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /whorl_http_requests_total\{method="POST",route="\/v2\/device\/evaluate",status="200"\} [1-9]/,
    );
    expect(text).toMatch(
      /whorl_http_requests_total\{method="GET",route="\/v2\/user\/\{id\}\/devices",status="401"\} [1-9]/,
    );
    expect(text).toMatch(/whorl_http_request_duration_seconds_bucket\{le="0.25",method="POST",route="\/v2/);
    expect(text).toMatch(/whorl_verdicts_total\{action="signup",verdict="\w+"\} [1-9]/);
    expect(text).toMatch(/whorl_verdicts_total\{action="other",verdict="\w+"\} [1-9]/);
    expect(text).toMatch(/whorl_unreadable_contacts_total\{kind="email"\} [1-9]/);
    expect(text).toMatch(/whorl_unreadable_contacts_total\{kind="phone"\} [1-9]/);
    expect(text).toMatch(/whorl_reasons_total\{reason="\w+"\} \d/);
    for (const value of [...Object.values(personal), 'an_action_of_their_own', 'made/up', 'PURGE']) {
      expect(text).not.toContain(value);
    }
  });
});
