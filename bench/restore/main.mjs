// Rehearses a restore to a given second: a base backup and the archived log, checked by digests of all tables. The user that
// was erased after that second is erased again.
//   node restore/main.mjs
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { assertBuilt } from '../built.mjs';
import { startLoad } from '../faults/load.mjs';
import { fingerprintOfNew } from '../service/population.mjs';
import { makeCluster, query } from '../service/postgresql.mjs';
import { command, makeProject, project, startService } from '../service/service.mjs';
import { changedTables, digestTables, tablesWith } from './digests.mjs';

const secret = 'master secret of the benchmarks, 32 bytes or more';
const minResponses = 200;
const loadTimeoutMs = 60_000;
/** Erased before the second that is restored, and after it. */
const earlier = 'erased-earlier';
const later = 'erased-later';

assertBuilt('package', 'service');
const programs = findPostgresql();
if (!programs) throw new Error('No PostgreSQL found: run "npm run setup:postgresql" first.');
const folder = mkdtempSync(join(tmpdir(), 'whorl-restore-'));
/** PostgreSQL's processes run as another user. */
chmodSync(folder, 0o777);
const archive = mkdtempSync(join(folder, 'archive-'));
chmodSync(archive, 0o777);
const original = makeCluster(mkdtempSync(join(folder, 'original-')), {
  settings: { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
});
/** @type {import('../service/postgresql.mjs').StoppableCluster[]} */
const started = [original];
try {
  await original.start();
  const before = { DATABASE_URL: original.url('postgres'), WHORL_SECRET: secret };
  const key = await makeProject(before);
  const backup = join(folder, 'backup');
  const host = decodeURIComponent(new URL(before.DATABASE_URL).hostname);

  await whileServing(before, key, [earlier, later], (url) => erase(url, key, earlier));
  const owner = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
  const copy = [
    join(programs, 'pg_basebackup'),
    `--pgdata=${backup}`,
    `--host=${host}`,
    '--username=postgres',
    '--checkpoint=fast',
  ];
  const [program = '', ...args] = process.getuid?.() === 0 ? [...owner, ...copy] : copy;
  execFileSync(program, args, { cwd: folder });
  await whileServing(before, key, []);

  const second = await nextSecond();
  const expected = await digestTables(before.DATABASE_URL);
  await whileServing(before, key, ['came-later'], (url) => erase(url, key, later));
  await query(before.DATABASE_URL, 'select pg_switch_wal()');
  await original.stop('fast');

  writeFileSync(join(backup, 'recovery.signal'), '');
  const beganAt = performance.now();
  const restored = makeCluster(mkdtempSync(join(folder, 'restored-')), {
    backup,
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: second,
      recovery_target_action: 'promote',
      archive_mode: 'off',
    },
  });
  started.push(restored);
  await restored.start();
  const after = { DATABASE_URL: restored.url('postgres'), WHORL_SECRET: secret };
  while ((await query(after.DATABASE_URL, 'select pg_is_in_recovery() as is'))[0]?.is) await pause(100);
  const restoreMs = performance.now() - beganAt;

  const found = await digestTables(after.DATABASE_URL);
  const changed = changedTables(expected, found);
  const returned = await tablesWith(after.DATABASE_URL, later);
  const file = join(folder, 'users.txt');
  writeFileSync(file, `${earlier}\n${later}\n`);
  const erased = (await command(after, 'users', 'erase', file, '--project', project, '--mode', 'live')).trim();
  const remaining = await tablesWith(after.DATABASE_URL, later);
  const audit = (await command(after, 'audit', 'verify')).trim();
  await whileServing(after, key, ['after-the-restore']);

  const lines = [
    `restored to ${second} in ${(restoreMs / 1000).toFixed(1)} s`,
    `${expected.size} tables compared, ${changed.length} different${changed.length ? `: ${changed.join(', ')}` : ''}`,
    `the user erased later was back in: ${returned.join(', ') || 'no table'}`,
    `users erase: ${erased}`,
    `the user is now in: ${remaining.join(', ') || 'no table'}`,
    `audit verify: ${audit}`,
    'the service then answered new evaluations',
  ];
  console.log(lines.join('\n'));
  const isPassed = changed.length === 0 && returned.length > 0 && remaining.length === 0;
  process.exitCode = isPassed ? 0 : 1;
} finally {
  for (const cluster of started) await cluster.stop('fast');
  await rm(folder, { recursive: true, force: true });
}

/**
 * Runs the service under load, with logins of some users.
 *
 * @param {import('../service/service.mjs').Environment} environment @param {string} key @param {readonly string[]} users
 * @param {(url: string) => Promise<void>} [act] Called at the end of the load.
 */
async function whileServing(environment, key, users, act) {
  const service = await startService(environment, { logFile: join(folder, 'service.log') });
  const load = startLoad({ urls: [service.url], key });
  try {
    for (const user of users)
      await post(service.url, key, '/v2/device/evaluate', {
        action: 'signup',
        user,
        fingerprint: fingerprintOfNew(users.indexOf(user)),
      });
    if (!(await load.answered(minResponses, loadTimeoutMs))) throw new Error('The service did not handle the load.');
    await act?.(service.url);
  } finally {
    await load.end(loadTimeoutMs);
    await service.stop();
  }
}

/** @param {string} url @param {string} key @param {string} user */
function erase(url, key, user) {
  return post(url, key, `/v2/user/${user}/delete`, {});
}

/** @param {string} url @param {string} key @param {string} path @param {object} body */
async function post(url, key, path, body) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** Waits for the next full second, in which nothing is written, and the one after it. Returns it as PostgreSQL reads it. */
async function nextSecond() {
  const second = new Date(Math.ceil(Date.now() / 1000) * 1000);
  await pause(second.getTime() + 1000 - Date.now());
  return `${second.toISOString().slice(0, 19).replace('T', ' ')}+00`;
}
