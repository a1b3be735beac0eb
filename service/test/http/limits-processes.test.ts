import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { createDatabase, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const perSecond = 10;
/** Counting lasts several windows of the limit, whose start is not known. */
const countMs = 4000;

describePostgresql('rate limits of two processes on one database', () => {
  let fresh: FreshDatabase;
  let processes: TestService[];
  beforeAll(async () => {
    fresh = await createDatabase('postgresql');
    processes = await Promise.all([1, 2].map(() => startService({ database: 'postgresql', on: fresh })));
  });
  afterAll(async () => {
    await Promise.all(processes.map((service) => service.close()));
    await fresh.drop();
  });

  test('are shared by demand, and all of one process that has all the demand', async () => {
    const [one, other] = processes;
    if (!one || !other) throw new Error('Two processes are needed');
    const project = await one.newProject({ rate_limits: { secret_per_second: perSecond } });
    const floods = [one, other].map((service) => flood(service.url, project.keys.live.secret));
    const allowed = () => floods.reduce((sum, each) => sum + each.allowed(), 0);
    const isBusy = () => floods.every((each) => each.hasLasted() && each.answered() > 5 * perSecond);
    // Without sharing, twice as many are allowed in every interval.
    const limit = perSecond * (countMs / 1000 + 1);
    await waitFor(() => isBusy() && allowed() <= limit, { what: 'both to allow no more than one limit' });
    expect(allowed()).toBeGreaterThan(perSecond);
    for (const each of floods) expect(each.allowed()).toBeGreaterThan(0);

    await floods[1]?.end();
    const least = perSecond * (countMs / 1000 - 1.5);
    await waitFor(() => (floods[0]?.allowed() ?? 0) >= least, { what: 'one to allow the whole limit again' });
    await floods[0]?.end();
  });
});

interface Flood {
  /** Whether it has lasted as long as the time that is counted. */
  hasLasted(): boolean;
  allowed(): number;
  answered(): number;
  end(): Promise<void>;
}

/** Sends requests without a pause. Counts are of the last seconds. */
function flood(url: string, key: string): Flood {
  const begunAt = performance.now();
  const answers: { readonly at: number; readonly isAllowed: boolean }[] = [];
  let isEnding = false;
  const send = async () => {
    while (!isEnding) {
      const { status } = await callApi(url, '/v2/challenges', { key });
      answers.push({ at: performance.now(), isAllowed: status === 200 });
    }
  };
  const sending = Promise.all([send(), send(), send()]);
  const recent = () => answers.filter(({ at }) => at > performance.now() - countMs);
  return {
    hasLasted: () => performance.now() - begunAt > countMs,
    allowed: () => recent().filter(({ isAllowed }) => isAllowed).length,
    answered: () => recent().length,
    async end() {
      isEnding = true;
      await sending;
    },
  };
}
