import type { DetachedData } from '../wire/events.js';
import { readNews } from './read-news.js';

/** Why following ended: the detachment, or the status of a response that rejects the token permanently. */
export type Ending = DetachedData | 401 | 404;

/** A working stream sends its first data immediately, and then a keep-alive every 15 seconds. */
const firstWordMs = 10_000;
const silenceMs = 40_000;
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
  let goOn = () => {};
  const line = createLine(url, token, () => {
    wantsStream = false;
  });
  const stopWaking = wakeBy(() => {
    wantsStream = true;
    // While the machine was asleep, a stream may have been lost without notice.
    line.breakOff(silenceMs / 2);
    goOn();
  });
  stopped.addEventListener('abort', () => {
    line.breakOff();
    goOn();
  });

  let ending: Ending | undefined;
  while (!stopped.aborted) {
    const isStream: boolean = wantsStream;
    const heard = await line.ask(isStream);
    const { status } = heard;
    ending = heard.ending;
    if (ending) break;
    if (heard.hasSign) failures = 0;
    // If neither way gets through, the network is down.
    if (status === undefined) wantsStream ||= !isStream;
    // Too many pages of this device already wait, or this browser cannot read streams.
    if (status === 429 || status === 0) wantsStream = false;
    const isPoll = !isStream && status === 200;
    const seconds = isPoll ? pollSeconds : Math.min(2 ** failures++, longestPauseSeconds);
    await new Promise<void>((resolve) => {
      goOn = resolve;
      // Random, from half to one and a half times as long, so that pages do not reconnect all at once.
      setTimeout(resolve, seconds * 1000 * (0.5 + Math.random()));
    });
  }
  line.close();
  stopWaking();
  return ending;
}

/** The result of one request. */
interface Heard {
  /** The status of the response: 0 if this browser cannot read streams, undefined if the connection failed. */
  readonly status: number | undefined;
  readonly ending: Ending | undefined;
  /** Whether any data arrived. */
  readonly hasSign: boolean;
}

/**
 * Creates the connection to the service. It makes one request at a time, and aborts a request that is silent for too
 * long.
 *
 * @param onMute Called if not even the first data arrives.
 */
function createLine(url: string, token: string, onMute: () => void) {
  let asking = new AbortController();
  let lastSign = 0;
  let patienceMs = 0;
  const breakOff = (silentForMs = Number.NEGATIVE_INFINITY) => {
    const isSilent = Date.now() - lastSign > silentForMs;
    if (isSilent) asking.abort();
    return isSilent;
  };
  const watchdog = setInterval(() => {
    // Between two requests, silence is expected.
    if (!asking.signal.aborted && breakOff(patienceMs) && patienceMs < silenceMs) onMute();
  }, 1000);
  return {
    breakOff,
    close: () => clearInterval(watchdog),
    async ask(isStream: boolean): Promise<Heard> {
      let ending: Ending | undefined;
      asking = new AbortController();
      lastSign = Date.now();
      patienceMs = firstWordMs;
      const status = await readNews({
        url,
        token,
        isStream,
        signal: asking.signal,
        onSign() {
          lastSign = Date.now();
          patienceMs = silenceMs;
        },
        onNews(type, news) {
          token = news.device_token ?? token;
          if (type !== 'detached') return;
          ending = news;
          asking.abort();
        },
      }).catch(() => undefined);
      asking.abort();
      if (status === 401 || status === 404) ending = status;
      return { status, ending, hasSign: patienceMs === silenceMs };
    },
  };
}

/** Calls `wake` whenever the connection may have changed. Returns a function that stops this. */
function wakeBy(wake: () => void): () => void {
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  return () => {
    removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
