import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('limits of nonces', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());

  const nonces = (project: TestProject, times: number, body: object) =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        customerOf(service, project).post('/v2/device/nonce', body, { 'Idempotency-Key': `nonce ${index}` }),
      ),
    );
  const allowed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;

  describe('with a secret key', () => {
    test('a stranger who asks for nonces uses up neither the key nor the nonces of others', async () => {
      const project = await service.newProject({ rate_limits: { secret_per_second: 100 } });
      const answers = await nonces(project, 95, { ip: '203.0.113.1' });
      expect(answers.some(({ status, body }) => status === 429 && body.code === 'rate_limited')).toBe(true);
      expect(allowed(answers)).toBeGreaterThanOrEqual(30);
      const evaluated = await customerOf(service, project).post('/v2/device/evaluate', {
        action: 'signup',
        user: 'ada',
        fingerprint: laptop,
        ip: '203.0.113.2',
      });
      expect(evaluated.status).toBe(200);
      expect(evaluated.headers.get('RateLimit')).toMatch(/^"secret";r=99;/);
      expect(allowed(await nonces(project, 1, { ip: '203.0.113.2' }))).toBe(1);
    });

    test('many strangers use up the nonces, but not the key', async () => {
      const project = await service.newProject({ rate_limits: { secret_per_second: 5 } });
      const strangers = Array.from({ length: 60 }, (_, index) => nonces(project, 1, { ip: `203.0.113.${index}` }));
      expect(allowed((await Promise.all(strangers)).flat())).toBeLessThan(60);
      expect((await customerOf(service, project).get('/v2/challenges')).status).toBe(200);
    });

    test('nothing is stored', async () => {
      const project = await service.newProject();
      expect(allowed(await nonces(project, 3, {}))).toBe(3);
      const rows = await service.db
        .selectFrom('idempotency')
        .innerJoin('api_keys', 'api_keys.id', 'idempotency.key_id')
        .innerJoin('worlds', 'worlds.id', 'api_keys.world_id')
        .select('idempotency.route')
        .where('worlds.project_id', '=', project.project.id)
        .execute();
      expect(rows).toEqual([]);
    });

    test('400 for an address that is none', async () => {
      const [answer] = await nonces(await service.newProject(), 1, { ip: 'home' });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path: 'ip' }] } });
    });
  });
});
