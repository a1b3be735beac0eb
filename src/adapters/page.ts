import { type Collected, collect, type GetHashOptions, prepare } from '../index.js';
import { ownFields } from '../own-fields.js';
import { stringify } from '../stringify.js';
import { type ActionResponse, codeNeeded, noResponse, type Reply, readResponse } from './action-response.js';
import type { Answer, Challenge } from './challenge.js';
import { createCodes } from './challenge-codes.js';

export type { ActionResponse, Reply as ActionReply } from './action-response.js';
export type { Answer, Challenge, ChallengeError } from './challenge.js';

/** Options of a page, including the options of `collect`. */
export interface PageOptions extends GetHashOptions {
  /** Where the server mounts its adapter's routes. Default `/whorl`. */
  readonly routes?: string | undefined;
  /** Whether to prove the browser's key (docs/proof.md), which takes one more request. Default true. */
  readonly proof?: boolean | undefined;
  /**
   * Functions for the factors of your own that the server's `challengeWith` offers, by their names:
   * `{ passkey: (optionsJSON) => startAuthentication({ optionsJSON }) }`. Default: none, so pass one to `prove`.
   */
  readonly challengeWith?: Readonly<Record<string, Answer>> | undefined;
  /**
   * The time limit of each request, in milliseconds, after which the response counts as `network`. A function that sends
   * the fields has none. Default 30,000: more than a server needs whose service is unavailable.
   */
  readonly timeout?: number | undefined;
  /** Sends the requests, for example with a CSRF token. Default: the page's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** The fields of a request. Those of a `FormData` must be texts. */
export type Fields = FormData | Readonly<Record<string, unknown>>;

/**
 * Where fields are sent: a path, or a function that sends them, such as a server action of Next. It returns the `reply`
 * of a decision, or for example `{ status: 200, body }`.
 */
export type Target = string | ((fields: Readonly<Record<string, unknown>>) => Promise<Reply>);

/** One form or button of a page. */
export interface PageForm {
  /** Like `submit` of the page. While a submission runs, returns its promise: a double click sends one request. */
  submit(target: Target, fields: Fields): Promise<ActionResponse>;
  /**
   * Aborts the submission, if one runs. It resolves with the code `aborted`, unless its function runs already: then it
   * resolves to what that returns.
   */
  abort(): void;
}

/** The part of an adapter that runs in a page. Does nothing before it is called, so that it can be created on a server. */
export interface WhorlPage {
  /**
   * Reads the browser when the page is idle, so that `submit` is fast, as `prepare` of the package does: call it again on
   * a page that stays open. Never rejects.
   */
  prepare(): Promise<void>;
  /** Resolves to the fields that describe the browser, with a proof if the server sent a nonce within 2 seconds. */
  collect(signal?: AbortSignal): Promise<Collected>;
  /**
   * Sends the fields and what `collect` read to a path, by POST as JSON. If a code is needed, a challenge starts. After the
   * right code, the request is sent again. Resolves to the last response, also if no response arrived.
   *
   * Without a subscriber nobody can enter a code, so it resolves to the response 403 `challenge_required`. It does so too
   * if the challenge is closed.
   */
  submit(
    target: Target,
    fields: Fields,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ActionResponse>;
  /**
   * Asks for the code of the newest challenge that this browser began, as after a sign-in that left the page. Resolves
   * with `ok` if the right code was entered: start the sign-in again. If the challenge is closed, resolves with the code
   * `challenge_required`, and if this browser began none, `challenge_of_another_browser`. Without a subscriber nobody can
   * enter a code.
   */
  confirm(options?: { readonly signal?: AbortSignal | undefined }): Promise<ActionResponse>;
  /**
   * Calls a function with the challenge that waits for a code, now and whenever it changes; with undefined if there is
   * none. Returns a function that ends this.
   */
  subscribe(listener: (challenge: Challenge | undefined) => void): () => void;
  /** Calls a route of the server's adapter by POST, such as `devices` (docs/devices-page.md). Never rejects. */
  call(route: string, fields: object): Promise<ActionResponse>;
  /** The challenge that waits for a code. */
  readonly challenge: Challenge | undefined;
  /** Creates a form that reports whether a submission runs. */
  form(onPending: (isPending: boolean) => void): PageForm;
}

const required: ActionResponse = {
  ...noResponse(undefined),
  status: 403,
  code: 'challenge_required',
  detail: codeNeeded,
};

/** How long to wait for a nonce, in milliseconds. A request without a proof is better than none. */
const nonceTimeoutMs = 2000;

/** @param limitMs A time limit that is shorter than the page's. */
type Post = (target: Target, fields: object, signal?: AbortSignal, limitMs?: number) => Promise<ActionResponse>;

/**
 * Creates the part of an adapter that runs in a page.
 *
 * @throws {TypeError} if `timeout` is not a duration that timers support.
 */
export function whorlPage(options: PageOptions = {}): WhorlPage {
  const {
    routes = '/whorl',
    proof = true,
    challengeWith: answers = {},
    timeout = 30_000,
    fetch: send,
    ...reading
  } = ownFields(options);
  if (!(timeout > 0 && timeout < 2 ** 31)) throw new TypeError('timeout must be milliseconds above 0.');
  const post = createPost(timeout, send);
  const codes = createCodes({ routes, post, answers });
  let preparing: Promise<void> | undefined;
  const endPreparing = () => {
    preparing = undefined;
  };

  const page: WhorlPage = {
    prepare: () => (preparing ??= prepare(reading).then(endPreparing, endPreparing)),
    async collect(signal) {
      // Without a nonce there is no proof. If the service is unavailable, the server decides what to do without one.
      const nonce = proof ? (await post(`${routes}/nonce`, {}, signal, nonceTimeoutMs)).body.nonce : undefined;
      return collect({ ...reading, nonce: typeof nonce === 'string' ? nonce : undefined });
    },
    async submit(target, fields, options = {}) {
      const { signal } = ownFields(options);
      const own = fields instanceof FormData ? Object.fromEntries(fields) : fields;
      for (;;) {
        const response = await post(target, { ...own, ...(await page.collect(signal)) }, signal);
        if (response.code !== 'challenge_required' || !codes.hasListeners()) return response;
        const outcome = await codes.confirm(response, signal);
        if (!outcome.ok) return outcome;
      }
    },
    confirm: (options = {}) => codes.confirm(required, ownFields(options).signal),
    subscribe: codes.subscribe,
    call: (route, fields) => post(`${routes}/${route}`, fields),
    get challenge() {
      return codes.current();
    },
    form: (onPending) => formOf(page, onPending),
  };
  return page;
}

/** Creates a function that sends a request. If no response arrives in time, it resolves to what stands for one. */
function createPost(timeout: number, send: typeof fetch | undefined): Post {
  return async (target, fields, signal, limitMs = timeout) => {
    // A function would not see the signal.
    if (signal?.aborted) return noResponse(signal);
    const controller = new AbortController();
    // Also removes the listener.
    const end = () => {
      clearTimeout(timer);
      controller.abort();
    };
    const timer = setTimeout(end, Math.min(timeout, limitMs));
    signal?.addEventListener('abort', end, { signal: controller.signal });
    try {
      if (typeof target === 'function') {
        const { body = {}, ...init } = ownFields(await target({ ...fields }));
        return await readResponse(new Response(stringify(body), ownFields(init)));
      }
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: stringify(fields), signal: controller.signal };
      return await readResponse(await (send ?? fetch)(target, ownFields(request)));
    } catch {
      return noResponse(signal);
    } finally {
      end();
    }
  };
}

function formOf(page: WhorlPage, onPending: (isPending: boolean) => void): PageForm {
  let running: Promise<ActionResponse> | undefined;
  let controller = new AbortController();
  return {
    submit(target, fields) {
      if (running) return running;
      const own = new AbortController();
      controller = own;
      onPending(true);
      running = page.submit(target, fields, { signal: own.signal }).finally(() => {
        // Another submission may run since this one was aborted.
        if (own !== controller) return;
        running = undefined;
        onPending(false);
      });
      return running;
    },
    abort() {
      running = undefined;
      controller.abort();
    },
  };
}
