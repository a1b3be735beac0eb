import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../listen.mjs';

const startTimeoutMs = 10_000;

/** The part of HAProxy's configuration that docs/operating.md has too. @param {readonly number[]} ports */
function serversOf(ports) {
  return [
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1',
    ...ports.map((port, index) => `  server s${index} 127.0.0.1:${port} check`),
  ];
}

/**
 * Starts HAProxy in front of processes of the service.
 *
 * @param {readonly number[]} ports
 * @param {string} folder
 */
export async function startBalancer(ports, folder) {
  const port = await freePort();
  const socket = join(folder, 'haproxy.sock');
  const lines = [
    'global',
    `  stats socket ${socket}`,
    'defaults',
    '  mode http',
    '  timeout connect 3s',
    '  timeout check 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    'listen service',
    `  bind 127.0.0.1:${port}`,
    ...serversOf(ports),
    '',
  ];
  writeFileSync(join(folder, 'haproxy.cfg'), lines.join('\n'));
  const log = openSync(join(folder, 'haproxy.log'), 'w');
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', log, log] });
  closeSync(log);
  await once(child, 'spawn');
  const end = performance.now() + startTimeoutMs;

  /** Returns the columns of HAProxy's statistics, by server. @returns {Promise<Map<string, Record<string, string>>>} */
  async function statistics() {
    const text = await ask(socket, 'show stat');
    const [heading = '', ...rows] = text.replace(/^# /, '').trim().split('\n');
    const names = heading.split(',');
    const parsed = rows.map((row) => Object.fromEntries(row.split(',').map((cell, at) => [names[at] ?? '', cell])));
    return new Map(parsed.map((row) => [row.svname ?? '', row]));
  }

  while (!(await statistics().catch(() => undefined))) {
    if (child.exitCode !== null || performance.now() > end)
      throw new Error(`HAProxy did not start: see ${folder}/haproxy.log.`);
    await pause(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    /** Waits until HAProxy sends requests to a process. @param {number} index @param {number} withinMs */
    async untilUp(index, withinMs) {
      for (const until = performance.now() + withinMs; performance.now() < until; await pause(50)) {
        if ((await statistics()).get(`s${index}`)?.status === 'UP') return;
      }
      throw new Error(`HAProxy did not find process ${index} ready within ${withinMs / 1000} s.`);
    },
    /** Returns how many requests HAProxy sent again, to the same process or to another one. */
    async repeated() {
      const { wretr = '0', wredis = '0' } = (await statistics()).get('BACKEND') ?? {};
      return Number(wretr) + Number(wredis);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Sends a command to HAProxy's socket. @param {string} path @param {string} command @returns {Promise<string>} */
async function ask(path, command) {
  const socket = createConnection(path).setEncoding('utf8');
  socket.write(`${command}\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}
