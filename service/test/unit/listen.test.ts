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

test('a health check of HTTP/1.0 without a Host header is answered', async () => {
  const app = { fetch: () => new Response('here') };
  const { url, close } = await listen(app, { host: '127.0.0.1', port: 0 }, createLog('silent'));
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  socket.write('GET /readyz HTTP/1.0\r\n\r\n');
  let answer = '';
  for await (const text of socket) answer += text;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*here$/);
  await close();
});
