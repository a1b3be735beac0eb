import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { createDatabase, type FreshDatabase } from '../support/databases.js';
import { environmentFor, launch, runProcess } from '../support/process.js';
import { waitFor } from '../support/wait-for.js';

/** Device on which every write fails as on a full disk: full(4). */
const full = '/dev/full';

describe.skipIf(!existsSync(full))('standard output on a full disk', () => {
  let fresh: FreshDatabase;
  beforeEach(async () => {
    fresh = await createDatabase('embedded');
  });
  afterEach(() => fresh.drop());

  test('neither ends the service nor keeps it from stopping', async () => {
    const port = await freePort();
    const environment = { ...environmentFor(fresh.options), PORT: String(port) };
    const service = await launch(['start'], environment, { outputTo: full });
    const isUp = async () => (await callApi(`http://127.0.0.1:${port}`, '/healthz')).status === 200;
    try {
      await waitFor(() => isUp().catch(() => false), { what: 'the service to respond' });
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    } finally {
      service.signal('SIGKILL');
    }
  });

  test('makes a command fail', async () => {
    const environment = environmentFor(fresh.options);
    const creating = ['project', 'create', '--name', 'Shop'];
    const message = 'The output cannot be written (ENOSPC).\n';
    expect(await runProcess(creating, environment, { outputTo: full })).toMatchObject({ code: 1, stderr: message });
    const exporting = ['list', 'export', '--project', 'Shop'];
    expect(await runProcess(exporting, environment, { outputTo: full })).toMatchObject({ code: 1, stderr: message });
  });
});

/** Returns a port that nothing uses: the log, which names the port, cannot be read. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
