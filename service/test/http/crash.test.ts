import { afterEach, beforeEach, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { createDatabase, describeDatabases, type FreshDatabase } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { environmentFor, LIVE_SECRET, type ServiceProcess, startProcess } from '../support/process.js';
import { waitFor } from '../support/wait-for.js';

const ROUNDS = 2;
const CONNECTIONS = 24;
const ANSWERS_BEFORE_CRASH = 120;

describeDatabases('a crash during work', (kind) => {
  let fresh: FreshDatabase;
  beforeEach(async () => {
    fresh = await createDatabase(kind);
  });
  afterEach(() => fresh.drop());

  test('loses nothing that was acknowledged', async () => {
    const start = () => startProcess(environmentFor(fresh.options));
    let service = await start();
    const key = LIVE_SECRET.exec(service.left.keys())?.[1] ?? '';
    const answered: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      answered.push(...(await crashUnderLoad(service, key, round)));
      service = await start();
    }
    expect(answered.length).toBeGreaterThanOrEqual(ROUNDS * ANSWERS_BEFORE_CRASH);
    for (const id of answered) {
      expect(await callApi(service.url, `/v2/evaluations/${id}`, { key })).toMatchObject({ status: 200 });
    }
    // Interrupted requests do not block their users.
    const next = await evaluate(service, key, 'user 0 0 0');
    expect(next.status).toBe(200);
    await service.end('SIGTERM');
  });
});

/** Returns the IDs of all evaluations acknowledged before the process was killed. */
async function crashUnderLoad(service: ServiceProcess, key: string, round: number): Promise<string[]> {
  const answered: string[] = [];
  const run = async (connection: number) => {
    for (let at = 0; ; at++) {
      const answer = await evaluate(service, key, `user ${round} ${connection} ${at}`).catch(() => undefined);
      if (!answer) return;
      // On a slow machine, some requests time out.
      if (answer.status === 200) answered.push(answer.body.evaluation_id);
    }
  };
  const runs = Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => run(connection)));
  await waitFor(() => answered.length >= ANSWERS_BEFORE_CRASH, { what: 'answers', timeoutMs: 100_000 });
  await service.end('SIGKILL');
  await runs;
  return answered;
}

function evaluate({ url }: ServiceProcess, key: string, user: string) {
  const body = { action: 'login', user, fingerprint: fingerprintOf({ seed: user }), ip: '198.51.100.7' };
  return callApi(url, '/v2/device/evaluate', { key, body });
}
