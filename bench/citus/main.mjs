// Runs the service on a Citus cluster: its tests over HTTP, logins while projects move, and throughput.
//   node citus/main.mjs [--only suite,move,throughput] [--files a.test.ts,b.test.ts] [--seconds 10] [--markdown]
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { measureMoves } from './move.mjs';
import { measureThroughput } from './throughput.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'suite,move,throughput' },
    files: { type: 'string', default: '' },
    seconds: { type: 'string', default: '10' },
    markdown: { type: 'boolean', default: false },
  },
});
const parts = values.only.split(',');
const options = { seconds: Number(values.seconds), markdown: values.markdown };

assertBuilt('package', 'service');
let isPassed = true;
if (parts.includes('suite')) isPassed = runSuite();
if (parts.includes('move')) isPassed = (await measureMoves(options)) && isPassed;
if (parts.includes('throughput')) await measureThroughput(options);
process.exitCode = isPassed ? 0 : 1;

/** Runs the tests of the service over HTTP whose database is distributed. Returns whether they passed. */
function runSuite() {
  const files = values.files ? values.files.split(',').map((name) => `service/test/http/${name}`) : [];
  const args = ['vitest', 'run', '--project', 'service', '--testNamePattern', '\\(postgresql\\)|statements', ...files];
  const { status } = spawnSync('npx', args, {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, WHORL_TEST_CITUS: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}
