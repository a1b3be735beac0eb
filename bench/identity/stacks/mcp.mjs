import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endGroup, within } from '../spoofers/by-hand.mjs';

/**
 * Starts a server of the Model Context Protocol on its standard streams. `call` returns the text of a tool's result.
 *
 * @param {string[]} args
 * @param {string} display
 */
export async function startMcp(args, display) {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, DISPLAY: display, CI: '1' },
    detached: true,
  });
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let lastId = 0;
  /** @param {string} method @param {object} params */
  async function request(method, params) {
    const id = ++lastId;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { result, error } = await within(60_000, method, answer);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'whorl-bench', version: '0.0.0' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    /** @param {string} name @param {object} parameters @returns {Promise<string>} */
    async call(name, parameters) {
      const { content = [], isError } = await request('tools/call', { name, arguments: parameters });
      const text = content.map(({ text = '' }) => text).join('\n');
      if (isError) throw new Error(`${name}: ${text}`);
      return text;
    },
    async close() {
      child.stdin.end();
      await within(5000, 'The end of the server', new Promise((resolve) => child.once('exit', resolve))).catch(
        () => {},
      );
      await endGroup(child);
    },
  };
}
