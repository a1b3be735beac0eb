// Replays of rules and searches for rules, started as the dashboard starts them.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { query } from './postgresql.mjs';

/** Reads the sealed request, counts and texts, and changes about a third of the verdicts. */
const rule = {
  name: 'Tried',
  when: 'metadata.amount > 400 && user.evaluations_today >= 0',
  effect: 'deny',
  actions: [],
};

/** In per cent. */
const target = { caught: 90, honest: 0.1 };

/** Starts a replay as the dashboard does, and waits until a worker has taken it. */
export async function startReplay(url, worldId) {
  const id = randomUUID();
  const draft = `'${JSON.stringify([rule])}', 0, '[]', 'waiting', now()`;
  const columns = 'world_id, id, rules, position, compared, status, created_at';
  await query(url, `insert into rule_replays (${columns}) values ('${worldId}', '${id}', ${draft})`);
  return startJob(url, { table: 'rule_replays', id, job: 'replay_rules', data: { worldId, replayId: id } });
}

/** Searches a rule as the dashboard does. */
export async function searchRule(url, worldId) {
  const id = randomUUID();
  const draft = `'${JSON.stringify(target)}', 'waiting', now()`;
  const columns = 'world_id, id, target, status, created_at';
  await query(url, `insert into rule_searches (${columns}) values ('${worldId}', '${id}', ${draft})`);
  const data = { worldId, searchId: id };
  const search = await startJob(url, { table: 'rule_searches', id, job: 'find_rule', data });
  const seconds = await search.seconds();
  const { report } = await search.find();
  const { when } = report.found;
  if (when === undefined) throw new Error(`No rule was found: ${JSON.stringify(report.found)}`);
  return { seconds, read: report.read, counted: report.counted, when };
}

/** Starts work in the background, and waits until a worker has taken it. */
async function startJob(url, { table, id, job, data }) {
  await query(
    url,
    `insert into jobs (id, name, data, next_at) values ('${randomUUID()}', '${job}', '${JSON.stringify(data)}', now())`,
  );
  const find = async () => (await query(url, `select * from ${table} where id = '${id}'`))[0];
  while ((await find()).status === 'waiting') await pause(20);
  const started = Date.now();
  /** Waits for its end, and returns how long it took; NaN if it was cancelled. */
  const seconds = async () => {
    for (;;) {
      const { status, ended_at } = await find();
      if (status === 'finished') return (ended_at.getTime() - started) / 1000;
      if (status === 'cancelled') return Number.NaN;
      if (status !== 'running') throw new Error(`${table}: ${status}`);
      await pause(50);
    }
  };
  /** Cancels it, and returns how many evaluations it had read. */
  const cancel = async () => {
    await query(
      url,
      `update ${table} set status = 'cancelled', ended_at = now() where id = '${id}' and status = 'running'`,
    );
    // It notices within a second.
    while ((await query(url, `select 1 from jobs where name = '${job}'`)).length > 0) await pause(50);
    const { report } = await find();
    return report ? report.replayed + report.skipped : 0;
  };
  return { find, seconds, cancel };
}

/** Replays again and again. `stop` returns how many evaluations were read. */
export function startReplays(url, worldId) {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');
  const running = (async () => {
    let replayed = 0;
    while (!stopping.signal.aborted) {
      const replay = await startReplay(url, worldId);
      await Promise.race([replay.seconds(), stopped]);
      replayed += await replay.cancel();
    }
    return replayed;
  })();
  const stop = () => {
    stopping.abort();
    return running;
  };
  return { stop };
}
