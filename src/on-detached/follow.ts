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
  let ending: Ending | undefined;
  let wantsStream = true;
  let failures = 0;
  let asking = new AbortController();
  let lastSign = 0;
  let patienceMs = 0;
  let goOn = () => {};

  const isSilentFor = (ms: number) => Date.now() - lastSign > ms;
  const ask = (isStream: boolean) => {
    asking = new AbortController();
    lastSign = Date.now();
    patienceMs = firstWordMs;
    return readNews({
      ...{ url, token, isStream, signal: asking.signal },
      onSign() {
        lastSign = Date.now();
        patienceMs = silenceMs;
        failures = 0;
      },
      onNews(type, news) {
        token = news.device_token ?? token;
        if (type !== 'detached') return;
        ending = news;
        asking.abort();
      },
    });
  };
  const end = () => {
    asking.abort();
    goOn();
  };
  const stopWaking = wakeBy(() => {
    wantsStream = true;
    // While the machine slept, a stream may have been lost unnoticed.
    if (isSilentFor(silenceMs / 2)) asking.abort();
    goOn();
  });
  stopped.addEventListener('abort', end);
  const watchdog = setInterval(() => {
    if (!isSilentFor(patienceMs)) return;
    if (patienceMs < silenceMs) wantsStream = false;
    asking.abort();
  }, 1000);

  while (!stopped.aborted) {
    const isStream: boolean = wantsStream;
    // Where neither way gets through, it is the network.
    const status = await ask(isStream).catch(() => {
      wantsStream ||= !isStream;
    });
    asking.abort();
    if (status === 401 || status === 404) ending = status;
    if (ending) break;
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
  clearInterval(watchdog);
  stopWaking();
  return ending;
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
