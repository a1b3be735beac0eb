import { type ActionResponse, noResponse } from './action-response.js';
import { type Answer, askForCode, type Challenge } from './challenge.js';

interface Asking {
  readonly routes: string;
  readonly post: (path: string, fields: object, signal: AbortSignal) => Promise<ActionResponse>;
  readonly answers: Readonly<Record<string, Answer>>;
}

const done: ActionResponse = { ...noResponse(undefined), ok: true, status: 200, code: undefined, detail: '' };

/** Creates what asks for the codes of a page: for one at a time. */
export function createCodes({ routes, post, answers }: Asking) {
  const listeners = new Set<(challenge: Challenge | undefined) => void>();
  const usedUp = new Set<string>();
  let challenge: Challenge | undefined;
  let asking: Promise<boolean | ActionResponse> | undefined;
  let waiting = 0;
  let controller: AbortController;

  async function ask(signal: AbortSignal): Promise<boolean | ActionResponse> {
    // The server knows the challenge by a cookie. Naming it keeps two tabs apart.
    const opened = await post(`${routes}/open`, {}, signal);
    if (!opened.ok || signal.aborted) return opened;
    const id = String(opened.body.challenge);
    const call = (route: string, fields: object) => post(`${routes}/${route}`, { challenge: id, ...fields }, signal);
    return askForCode({ id, opened, call, signal, answers, usedUp }, (changed) => {
      challenge = changed;
      for (const listener of listeners) listener(challenge);
    });
  }

  return {
    current: () => challenge,
    hasListeners: () => listeners.size > 0,
    subscribe(listener: (challenge: Challenge | undefined) => void) {
      listeners.add(listener);
      listener(challenge);
      return () => listeners.delete(listener);
    },
    /** Resolves to `response`, which required the code, if the challenge is closed. */
    async confirm(response: ActionResponse, signal: AbortSignal | undefined): Promise<ActionResponse> {
      if (signal?.aborted) return noResponse(signal);
      // One code at a time: after the right one, the device is trusted for all requests.
      if (!asking) {
        controller = new AbortController();
        asking = ask(controller.signal);
      }
      waiting += 1;
      try {
        const leaving = new Promise<false>((resolve) => {
          signal?.addEventListener('abort', () => resolve(false), { signal: controller.signal });
        });
        const outcome = await Promise.race([asking, leaving]);
        if (signal?.aborted) return noResponse(signal);
        if (typeof outcome === 'object') return outcome;
        return outcome ? done : response;
      } finally {
        waiting -= 1;
        // The challenge is not that of the request that began it: it ends when nobody waits for it any more.
        if (waiting === 0) {
          asking = undefined;
          controller.abort();
        }
      }
    },
  };
}
