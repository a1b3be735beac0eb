import { NIL } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createLog,
  enqueue,
  type JobHandlers,
  jobKinds,
  type OpenDatabase,
  startQueue,
  waitingJobs,
} from '../../src/testing.js';
import { describeDatabases, openFreshDatabase } from '../support/databases.js';
import { waitFor } from '../support/wait-for.js';

/** Scheduled jobs. */
const scheduled = Object.entries(jobKinds).flatMap(([name, { everySeconds }]) =>
  everySeconds === undefined ? [] : [[name, { everySeconds }] as const],
);

const worldId = NIL;

describeDatabases('queue', (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openFreshDatabase(kind);
  });
  afterAll(() => database.close());

  /** Handlers that record their input. */
  function recording(done: string[]): JobHandlers {
    const noted = (name: string) => async () => void done.push(name);
    return {
      expire_challenges: noted('expire_challenges'),
      detach_idle_devices: noted('detach_idle_devices'),
      create_partitions: noted('create_partitions'),
      remove_old_rows: noted('remove_old_rows'),
      remove_old_claims: noted('remove_old_claims'),
      fold_activity: noted('fold_activity'),
      merge_velocity: noted('merge_velocity'),
      update_statistics: noted('update_statistics'),
      replay_rules: noted('replay_rules'),
      find_rule: noted('find_rule'),
      send_notice: noted('send_notice'),
      check_alerts: noted('check_alerts'),
      send_alert: noted('send_alert'),
      send_summaries: noted('send_summaries'),
      report_sharing: async ({ userId }) => {
        done.push(userId);
        if (userId === 'fails') throw new Error('on purpose');
      },
    };
  }

  test('a job exists only once the transaction that enqueued it has committed', async () => {
    const before = await waitingJobs(database.db);
    await database.db.transaction().execute((trx) => enqueue(trx, 'report_sharing', { worldId, userId: 'kept' }));
    const rolledBack = database.db.transaction().execute(async (trx) => {
      await enqueue(trx, 'report_sharing', { worldId, userId: 'dropped' });
      throw new Error('on purpose');
    });
    await expect(rolledBack).rejects.toThrow('on purpose');
    const after = await waitingJobs(database.db);
    expect((after.report_sharing ?? 0) - (before.report_sharing ?? 0)).toBe(1);
  });

  test('several processes run each job once, and each scheduled job once in total', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `user-${at}`);
    await database.db.transaction().execute(async (trx) => {
      for (const userId of ids) await enqueue(trx, 'report_sharing', { worldId, userId });
    });
    const done: string[] = [];
    const silent = createLog('silent');
    const startedAt = Date.now();
    const queues = await Promise.all([1, 2].map(() => startQueue(database.db, recording(done), silent)));
    const wanted = [...scheduled.map(([name]) => name), ...ids];
    await waitFor(() => wanted.every((name) => done.includes(name)), { what: 'all jobs' });
    await Promise.all(queues.map((queue) => queue.stop()));
    const timesOf = (name: string) => done.filter((each) => each === name).length;
    for (const id of ids) expect(timesOf(id)).toBe(1);
    // A minute or a day may have ended meanwhile.
    for (const [name, { everySeconds }] of scheduled) {
      const periodOf = (ms: number) => Math.floor(ms / 1000 / everySeconds);
      expect(timesOf(name), name).toBeLessThanOrEqual(1 + periodOf(Date.now()) - periodOf(startedAt));
    }
  });

  test('a failed job waits for its retry without blocking others', async () => {
    await database.db.transaction().execute(async (trx) => {
      for (const userId of ['fails', 'works']) await enqueue(trx, 'report_sharing', { worldId, userId });
    });
    const done: string[] = [];
    const queue = await startQueue(database.db, recording(done), createLog('silent'));
    await waitFor(() => done.includes('works') && done.includes('fails'), { what: 'both jobs' });
    await queue.stop();
    expect((await waitingJobs(database.db)).report_sharing).toBe(1);
  });
});
