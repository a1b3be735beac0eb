import { Whorl } from 'whorl/server';
import type { ExchangeLog } from './exchanges.js';

/** Maximum time for a call to the service. */
const TIMEOUT_MS = 5_000;

/** Returns the server client, as any application would create it. Only `fetch` is the demo's: it records the exchanges. */
export function createWhorl(baseUrl: string, apiSecret: string, exchanges: ExchangeLog): Whorl {
  return new Whorl({
    apiSecret,
    baseUrl,
    timeoutMs: TIMEOUT_MS,
    fetch(url, init) {
      const { pathname, search } = new URL(url);
      const about = { method: init.method, path: pathname + search, request: parse(init.body) };
      // Headers are not recorded, because one of them contains the secret.
      return exchanges.recordCall(about, async () => {
        const { status, headers, ...response } = await readResponse(await fetch(url, init));
        return { status, headers, answer: parse(response.body), text: async () => response.body };
      });
    },
  });
}

async function readResponse(response: Response) {
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}

function parse(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
