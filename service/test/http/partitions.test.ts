import pg from 'pg';
import { expect, test } from 'vitest';
import { dayMs, jobHandlers, listPartitions, removeOldRows } from '../../src/testing.js';
import { Clock } from '../support/clock.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { createDatabase, describePostgresql } from '../support/databases.js';
import { startService } from '../support/service.js';

describePostgresql('a backup that reads the tables at the beginning of a month', () => {
  test('prevents neither a start nor evaluations nor the removal of old rows', async () => {
    const fresh = await createDatabase('postgresql');
    if (fresh.options.kind !== 'postgresql') throw new Error('asked for PostgreSQL');
    const clock = new Clock();
    const before = await startService({ database: 'postgresql', on: fresh, clock });
    const project = await before.newProject();
    await before.db.updateTable('projects').set({ settings: '{"retention_days":30}' }).execute();
    const login = (user: string) => ({ action: 'login', user, fingerprint: laptop, ip: home });
    await customerOf(before, project).evaluate(login('ada'));
    const months = await listPartitions(before.db, 'evaluations');
    await before.close();
    clock.advance(190 * dayMs);

    const backup = new pg.Client(fresh.options.url);
    await backup.connect();
    await backup.query('begin');
    await backup.query('lock table evaluations, evaluations_default, events, events_default in access share mode');
    const after = await startService({ database: 'postgresql', on: fresh, clock });
    await customerOf(after, project).evaluate(login('grace'));
    await removeOldRows(after.service);
    const users = await after.db.selectFrom('evaluations').select('external_user as user').execute();
    expect(users).toEqual([{ user: 'grace' }]);
    expect(await listPartitions(after.db, 'evaluations')).toEqual(months);
    await backup.end();

    await jobHandlers(after.service).create_partitions({});
    expect(await listPartitions(after.db, 'evaluations')).toHaveLength(months.length + 3);
    await removeOldRows(after.service);
    expect(await listPartitions(after.db, 'evaluations')).toHaveLength(4);
    await after.close();
    await fresh.drop();
  });
});
