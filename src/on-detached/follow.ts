import type { DetachedData } from '../wire/events.js';
import { readNews } from './read-news.js';

/** What ends the following: the detachment, or the status of an answer that refuses the token for good. */
export type Ending = DetachedData | 401 | 404;

/** In a stream that gets through, the first words come at once, and signs of life every 15 seconds. */
const firstWordMs = 10_000;
const silenceMs = 40_000;
/** From one asking to the next, where there is no stream. */
const pollSeconds = 15;
const longestPauseSeconds = 64;

/**
 * Follows a device until it is detached, or its token is refused; undefined where `stopped` ended it. By a stream; where
 * that does not get through, by asking about every 15 seconds. What breaks is begun again after about a second, and then
 * after twice as long each time, up to a minute; at once when the browser is online again, or the page is looked at. Never
 * rejects.
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
    // While the machine slept, a stream may have been lost unnoticed.
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
    // Where neither way gets through, it is the network.
    if (status === undefined) wantsStream ||= !isStream;
    // Of this device, too many pages wait already; or this browser reads no streams.
    if (status === 429 || status === 0) wantsStream = false;
    const isPoll = !isStream && status === 200;
    const seconds = isPoll ? pollSeconds : Math.min(2 ** failures++, longestPauseSeconds);
    await new Promise<void>((resolve) => {
      goOn = resolve;
      // By chance half as long or half longer: not all pages come back at once.
      setTimeout(resolve, seconds * 1000 * (0.5 + Math.random()));
    });
  }
  line.close();
  stopWaking();
  return ending;
}

/** What came of asking once. */
interface Heard {
  /** Of the answer; 0 where this browser reads no streams, undefined where it broke. */
  readonly status: number | undefined;
  readonly ending: Ending | undefined;
  /** Whether there was any sign of life. */
  readonly hasSign: boolean;
}

/**
 * The connection to the service, one at a time: what is silent for too long is broken off.
 *
 * @param onMute Called where not even the first words come.
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
    // Between two askings there is nothing to be heard.
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
        ...{ url, token, isStream, signal: asking.signal },
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

/** Calls back when something may have changed for the connection, until the answer is called. */
function wakeBy(wake: () => void): () => void {
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', wake);
  return () => {
    removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
