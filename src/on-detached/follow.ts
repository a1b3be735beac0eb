import type { DetachedData } from '../wire/events.js';
import { readNews } from './read-news.js';

/** Why following ended: the detachment, or the status of a response that rejects the token permanently. */
export type Ending = DetachedData | 401 | 404;

/** How long a request may wait for data. A working stream sends some immediately, and then every 15 seconds. */
const firstDataMs = 10_000;
const nextDataMs = 40_000;
/** Time between two polls when there is no stream. */
const pollSeconds = 15;
const longestPauseSeconds = 64;

/**
 * Follows a device until it is detached or its token is rejected. Resolves to undefined if `stopped` was aborted. Reads
 * a stream, or polls about every 15 seconds if the stream does not get through. Reconnects about one second after a
 * failure, and then after twice as long each time, up to a minute. Reconnects immediately when the browser comes online
 * or the page becomes visible. Never rejects.
 */
export async function follow(url: string, token: string, stopped: AbortSignal): Promise<Ending | undefined> {
  let wantsStream = true;
  let failures = 0;
  let endPause = () => {};
  const connection = createConnection(url, token, () => {
    wantsStream = false;
  });
  const stopWatching = watchNetwork(() => {
    wantsStream = true;
    // While the machine was asleep, a stream may have been lost without notice.
    connection.abort(nextDataMs / 2);
    endPause();
  });
  stopped.addEventListener('abort', () => {
    connection.abort();
    endPause();
  });

  let ending: Ending | undefined;
  while (!stopped.aborted) {
    const isStream: boolean = wantsStream;
    const result = await connection.request(isStream);
    const { status } = result;
    ending = result.ending;
    if (ending) break;
    if (result.hasData) failures = 0;
    // If neither way gets through, the network is down.
    if (status === undefined) wantsStream ||= !isStream;
    // Too many pages of this device already wait, or this browser cannot read streams.
    if (status === 429 || status === 0) wantsStream = false;
    const isPoll = !isStream && status === 200;
    const seconds = isPoll ? pollSeconds : Math.min(2 ** failures++, longestPauseSeconds);
    await new Promise<void>((resolve) => {
      endPause = resolve;
      // Random, from half to one and a half times as long, so that pages do not reconnect all at once.
      setTimeout(resolve, seconds * 1000 * (0.5 + Math.random()));
    });
  }
  connection.close();
  stopWatching();
  return ending;
}

/** Result of one request. */
interface RequestResult {
  /** The status of the response: 0 if this browser cannot read streams, undefined if the connection failed. */
  readonly status: number | undefined;
  readonly ending: Ending | undefined;
  /** Whether any data arrived. */
  readonly hasData: boolean;
}

/**
 * Creates the connection to the service. It makes one request at a time, and aborts a request for which no data arrives
 * for too long.
 *
 * @param onNoData Called if not even the first data arrives.
 */
function createConnection(url: string, token: string, onNoData: () => void) {
  let controller = new AbortController();
  let lastDataAt = 0;
  let limitMs = 0;
  /** Aborts the request if no data has arrived for this long (default: in any case), and returns whether it did. */
  const abort = (silentForMs = Number.NEGATIVE_INFINITY) => {
    const isSilent = Date.now() - lastDataAt > silentForMs;
    if (isSilent) controller.abort();
    return isSilent;
  };
  const watchdog = setInterval(() => {
    // Between two requests, silence is expected.
    if (!controller.signal.aborted && abort(limitMs) && limitMs < nextDataMs) onNoData();
  }, 1000);
  return {
    abort,
    close: () => clearInterval(watchdog),
    async request(isStream: boolean): Promise<RequestResult> {
      let ending: Ending | undefined;
      controller = new AbortController();
      lastDataAt = Date.now();
      limitMs = firstDataMs;
      const status = await readNews({
        url,
        token,
        isStream,
        signal: controller.signal,
        onData() {
          lastDataAt = Date.now();
          limitMs = nextDataMs;
        },
        onNews(type, news) {
          token = news.device_token ?? token;
          if (type !== 'detached') return;
          ending = news;
          controller.abort();
        },
      }).catch(() => undefined);
      controller.abort();
      if (status === 401 || status === 404) ending = status;
      return { status, ending, hasData: limitMs === nextDataMs };
    },
  };
}

/** Calls `onChange` whenever the connection may have changed. Returns a function that stops this. */
function watchNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange);
  document.addEventListener('visibilitychange', onChange);
  return () => {
    removeEventListener('online', onChange);
    document.removeEventListener('visibilitychange', onChange);
  };
}
