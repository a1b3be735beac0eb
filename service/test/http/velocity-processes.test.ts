import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerOf } from '../support/customer.js';
import { createDatabase, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** The default of `velocity.users_per_address`. */
const limit = 30;

describePostgresql('counts of two processes on one database', () => {
  let fresh: FreshDatabase;
  let other: TestService;
  let project: TestProject;
  beforeAll(async () => {
    fresh = await createDatabase('postgresql');
    other = await startService({ database: 'postgresql', on: fresh });
    project = await other.newProject({ device_limit: { overall: null } });
  });
  afterAll(async () => {
    await other.close();
    await fresh.drop();
  });

  test('add up, and a process that stops stores its own', async () => {
    const one = await startService({ database: 'postgresql', on: fresh });
    const evaluate = (service: TestService, count: number) =>
      customerOf(service, project).evaluate({
        action: 'login',
        user: `user ${count}`,
        fingerprint: fingerprintOf({ seed: `device ${count}` }),
        ip: '9.8.7.6',
      });
    for (let count = 0; count < limit / 2; count++) await evaluate(one, count);
    await one.close();
    for (let count = limit / 2; count < limit; count++) {
      expect((await evaluate(other, count)).reasons).not.toContain('velocity');
    }
    expect((await evaluate(other, limit)).reasons).toContain('velocity');
  });
});
