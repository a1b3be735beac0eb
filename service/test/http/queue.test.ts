import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueue, type JobHandlers, startQueue, waitingJobs } from '../../src/delivery/queue/index.js';
import { createLog } from '../../src/log.js';
import type { OpenDatabase } from '../../src/store/database.js';
import { describeDatabases, openFreshDatabase } from '../support/databases.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('queue', (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openFreshDatabase(kind);
  });
  afterAll(() => database.close());

  /** Handlers that write down what they were given. */
  function recording(done: string[]): JobHandlers {
    const scheduled = (name: string) => async () => void done.push(name);
    return {
      expire_challenges: scheduled('expire_challenges'),
      detach_idle_devices: scheduled('detach_idle_devices'),
      remove_old_rows: scheduled('remove_old_rows'),
      fold_activity: scheduled('fold_activity'),
      report_sharing: async ({ userId }) => {
        done.push(userId);
        if (userId === 'fails') throw new Error('on purpose');
      },
    };
  }

  test('a job is there when the transaction that asked for it commits, and only then', async () => {
    const before = await waitingJobs(database);
    await database.db.transaction().execute((trx) => enqueue(trx, 'report_sharing', { userId: 'kept' }));
    const rolledBack = database.db.transaction().execute(async (trx) => {
      await enqueue(trx, 'report_sharing', { userId: 'dropped' });
      throw new Error('on purpose');
    });
    await expect(rolledBack).rejects.toThrow('on purpose');
    const after = await waitingJobs(database);
    expect((after.report_sharing ?? 0) - (before.report_sharing ?? 0)).toBe(1);
  });

  test('several processes do each job once, and those that come by themselves once for all', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `user-${at}`);
    await database.db.transaction().execute(async (trx) => {
      for (const userId of ids) await enqueue(trx, 'report_sharing', { userId });
    });
    const done: string[] = [];
    const silent = createLog('silent');
    const queues = await Promise.all([1, 2].map(() => startQueue(database, recording(done), silent)));
    const wanted = ['expire_challenges', 'detach_idle_devices', 'remove_old_rows', 'fold_activity', ...ids];
    await waitFor(() => wanted.every((name) => done.includes(name)), { what: 'all jobs' });
    await Promise.all(queues.map((queue) => queue.stop()));
    for (const name of wanted) expect(done.filter((each) => each === name)).toHaveLength(1);
  });

  test('a job that fails waits to be tried again, and keeps others from nothing', async () => {
    await database.db.transaction().execute(async (trx) => {
      for (const userId of ['fails', 'works']) await enqueue(trx, 'report_sharing', { userId });
    });
    const done: string[] = [];
    const queue = await startQueue(database, recording(done), createLog('silent'));
    await waitFor(() => done.includes('works') && done.includes('fails'), { what: 'both jobs' });
    await queue.stop();
    expect((await waitingJobs(database)).report_sharing).toBe(1);
  });
});
