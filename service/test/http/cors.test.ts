import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/testing.js';
import { home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { all } from '../support/operations.js';
import { type ApiAnswer, startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const otherOrigin = 'https://other.example';
const strangeOrigin = 'https://strange.example';
const forPages = ['/v2/device/evaluate', '/v2/devices/evaluate', '/v2/device/fingerprint'];
const body = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };

describeDatabases('pages of other origins', (kind) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService({ database: kind });
    await service.newProject({ allowed_origins: [otherOrigin] });
    project = await service.newProject({ allowed_origins: [origin, 'http://localhost:5173'] });
  });
  afterAll(() => service.close());

  const preflight = (path: string, from: string) =>
    service.api(path, {
      method: 'OPTIONS',
      headers: {
        Origin: from,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
  const claim = (path: string, from: string | undefined, key = project.keys.live.publishable) =>
    service.api(path, { key, body, headers: from === undefined ? {} : { Origin: from } });
  const allowedOrigin = ({ headers }: ApiAnswer) => headers.get('Access-Control-Allow-Origin');

  describe('preflight requests', () => {
    test.each(forPages)('to %s: an origin that a project allows', async (path) => {
      for (const from of [origin, otherOrigin, 'http://localhost:5173']) {
        const answer = await preflight(path, from);
        expect(answer.status).toBe(204);
        expect(allowedOrigin(answer)).toBe(from);
        expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('POST');
        expect(answer.headers.get('Access-Control-Allow-Headers')).toMatch(/Authorization.*Content-Type/);
        expect(Number(answer.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0);
        expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
        expect(answer.headers.get('Vary')).toContain('Origin');
      }
    });

    test.each([
      strangeOrigin,
      'null',
      'https://shop.example.evil.example',
      'http://shop.example',
      'https://SHOP.example',
    ])('from %s, which no project allows', async (from) => {
      const answer = await preflight('/v2/device/evaluate', from);
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(allowedOrigin(answer)).toBeNull();
    });

    test('to routes that only accept secret keys', async () => {
      const secretPaths = all.filter(([, { keys }]) => keys !== 'any').map(([, { path }]) => path);
      expect(secretPaths).not.toHaveLength(0);
      for (const path of secretPaths) {
        const answer = await preflight(path.replace(/\{\w+\}/g, 'x'), origin);
        expect(answer.status).toBe(405);
        expect(allowedOrigin(answer)).toBeNull();
      }
    });

    test('follow changes of the settings', async () => {
      const from = 'https://new.example';
      expect((await preflight('/v2/device/evaluate', from)).status).toBe(403);
      const changes = { allowed_origins: [origin, 'http://localhost:5173', from] };
      await changeSettings(service.service, { project: project.project.id, changes, changedBy: 'test' });
      const isAllowed = async () => (await preflight('/v2/device/evaluate', from)).status === 204;
      await waitFor(isAllowed, { what: 'the origin to be allowed' });
    });
  });

  describe('requests with a publishable key', () => {
    test.each(forPages)("to %s: from an allowed origin of the key's project", async (path) => {
      const answer = await claim(path, origin);
      expect(answer.status).toBe(200);
      expect(allowedOrigin(answer)).toBe(origin);
      expect(answer.headers.get('Vary')).toContain('Origin');
      const exposed = answer.headers.get('Access-Control-Expose-Headers') ?? '';
      expect(exposed.split(', ').sort()).toEqual(['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id']);
    });

    test.each([undefined, otherOrigin, strangeOrigin, 'null', 'https://shop.example/'])(
      '403: from %s',
      async (from) => {
        for (const path of forPages) {
          const answer = await claim(path, from);
          expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
          expect(allowedOrigin(answer)).toBeNull();
        }
      },
    );

    test('let pages read errors about the request or key', async () => {
      const { publishable } = project.keys.live;
      const invalid = await service.api(forPages[0] ?? '', { key: publishable, body: {}, headers: { Origin: origin } });
      expect([invalid.status, allowedOrigin(invalid)]).toEqual([400, origin]);
      const unknown = await claim('/v2/device/evaluate', origin, `pk_live_${'x'.repeat(22)}`);
      expect([unknown.status, allowedOrigin(unknown)]).toEqual([401, origin]);
    });

    test("use the connection's IP address, regardless of the body", async () => {
      const { body: claimed } = await claim('/v2/device/evaluate', origin);
      const { secret } = project.keys.live;
      const record = await service.api(`/v2/evaluations/${claimed.evaluation_id}`, { key: secret });
      expect(record.body).toMatchObject({ ip: '127.0.0.1', claimed: true });
    });
  });

  test('a request with a secret key is processed, but a page cannot read the response', async () => {
    for (const path of forPages) {
      const answer = await claim(path, origin, project.keys.live.secret);
      expect(answer.status).toBe(200);
      expect(allowedOrigin(answer)).toBeNull();
    }
    const list = await service.api('/v2/challenges', { key: project.keys.live.secret, headers: { Origin: origin } });
    expect([list.status, allowedOrigin(list)]).toEqual([200, null]);
  });

  test('public resources can be read from every origin', async () => {
    for (const path of ['/whorl.min.js', '/.well-known/jwks.json', '/openapi.json']) {
      const answer = await service.api(path, { headers: { Origin: strangeOrigin } });
      expect([answer.status, allowedOrigin(answer)], path).toEqual([200, '*']);
    }
  });
});
