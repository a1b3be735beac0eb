// The plain DevTools protocol over a pipe, because current client libraries cannot drive the oldest builds.

/**
 * @typedef {object} DevTools
 * @property {(method: string, parameters?: object, sessionId?: string) => Promise<any>} send Resolves to the response's
 *   result. Rejects if the browser returns an error, has ended, or takes longer than 60 s.
 * @property {(method: string, take: (parameters: any) => void) => void} on
 */

const deadlineMs = 60_000;

/**
 * Connects to a Chromium that was started with `--remote-debugging-pipe`. Messages end with a zero byte.
 *
 * @param {import('node:stream').Writable} input
 * @param {import('node:stream').Readable} output
 * @returns {DevTools}
 */
export function connect(input, output) {
  /** @type {Map<number, { settle: (message: any) => void, fail: (error: Error) => void }>} */
  const waiting = new Map();
  /** @type {Map<string, ((parameters: any) => void)[]>} */
  const listeners = new Map();
  /** @type {Buffer[]} */
  let pieces = [];
  let lastId = 0;

  output.on('data', (/** @type {Buffer} */ data) => {
    let start = 0;
    for (let end = data.indexOf(0, start); end >= 0; end = data.indexOf(0, start)) {
      pieces.push(data.subarray(start, end));
      take(JSON.parse(Buffer.concat(pieces).toString('utf8')));
      pieces = [];
      start = end + 1;
    }
    pieces.push(data.subarray(start));
  });
  output.on('close', () => failAll(new Error('The browser has exited.')));
  // The browser has just exited. The other pipe reports that.
  input.on('error', () => {});

  /** @param {Error} error */
  function failAll(error) {
    for (const { fail } of waiting.values()) fail(error);
    waiting.clear();
  }

  /** @param {any} message */
  function take(message) {
    if (message.id === undefined) {
      for (const listener of listeners.get(message.method) ?? []) listener(message.params);
      return;
    }
    waiting.get(message.id)?.settle(message);
    waiting.delete(message.id);
  }

  return {
    on(method, listener) {
      listeners.set(method, [...(listeners.get(method) ?? []), listener]);
    },
    send(method, params = {}, sessionId) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`${method}: no response within ${deadlineMs / 1000} s.`));
        }, deadlineMs);
        waiting.set(id, {
          settle({ error, result }) {
            clearTimeout(timer);
            if (error) reject(new Error(`${method}: ${error.message}`));
            else resolve(result);
          },
          fail(error) {
            clearTimeout(timer);
            reject(error);
          },
        });
        input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      });
    },
  };
}
