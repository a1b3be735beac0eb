import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../../src/server/listen.js';
import { createLog } from '../../src/server/log.js';

test('closing does not wait for idle connections', async () => {
  let log = '';
  const to = { host: '127.0.0.1', port: 0 };
  const app = { fetch: () => new Response('here') };
  const { url, close } = await listen(app, to, createLog('warn', { write: (line) => (log += line) }));
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  await once(silent, 'connect');
  // Connections are accepted in order, so the earlier one has been accepted.
  expect(await (await fetch(url)).text()).toBe('here');
  const ended = once(silent, 'close');
  await close();
  await ended;
  expect(log).not.toContain('still pending');
});
