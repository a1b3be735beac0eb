import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockUser } from '../../src/testing.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { describePostgresql } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';

// The embedded database has one connection, for which all requests wait in turn.
describePostgresql('many simultaneous requests for one user', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: 'postgresql' });
  });
  afterAll(() => service.close());

  test('leave connections for everybody else; the ones that cannot wait get 503 user_busy', async () => {
    const project = await service.newProject();
    const customer = customerOf(service, project);
    const logIn = (user: string) =>
      customer.post('/v2/device/evaluate', { action: 'signup', user, fingerprint: laptop, ip: home });
    const world = await service.db
      .selectFrom('worlds')
      .select('id')
      .where('project_id', '=', project.project.id)
      .where('mode', '=', 'live')
      .executeTakeFirstOrThrow();
    let crowd: ReturnType<typeof logIn>[] = [];
    await service.db.transaction().execute(async (trx) => {
      // As a slow request for the user would, in this process or in another one.
      await lockUser(trx, world.id, 'ada');
      await sql`select 1`.execute(trx);
      crowd = Array.from({ length: 40 }, () => logIn('ada'));
      const refused = await Promise.race(crowd);
      expect(refused).toMatchObject({ status: 503, body: { code: 'user_busy' } });
      expect(refused.headers.get('Retry-After')).toBe('1');
      const others = await Promise.all(Array.from({ length: 20 }, (_, index) => logIn(`user-${index}`)));
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    });
    const answers = await Promise.all(crowd);
    const codes = new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`));
    expect([...codes].sort()).toEqual(['200 ', '503 user_busy']);
    // Nothing is left behind that would refuse the next request.
    expect((await logIn('ada')).status).toBe(200);
  });
});
