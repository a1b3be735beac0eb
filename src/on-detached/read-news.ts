import { ownFields } from '../own-fields.js';
import type { DetachedData } from '../wire/events.js';
import { parseEvents } from './parse-events.js';

/** An event about a device. `detached` carries the cause, and any event may carry a newer token. */
export type News = DetachedData & { readonly device_token?: string };

interface ReadOptions {
  readonly url: string;
  readonly token: string;
  /** Whether to read a stream until it ends, instead of the current state only. */
  readonly isStream: boolean;
  readonly signal: AbortSignal;
  /** Called whenever data arrives. */
  onData(): void;
  onNews(type: string, news: News): void;
}

/**
 * Requests the events of a device and reads the response to its end.
 *
 * @returns the status of the response, or 0 if this browser cannot read streams.
 * @throws (rejects with) any network error.
 */
export async function readNews({ url, token, isStream, signal, onData, onNews }: ReadOptions): Promise<number> {
  const accept = isStream ? 'text/event-stream' : 'application/json';
  const headers = { Authorization: `Bearer ${token}`, Accept: accept };
  const init: RequestInit = { headers, cache: 'no-store', signal };
  const response = await fetch(url, ownFields(init));
  const { status, body } = response;
  if (status !== 200) return status;
  if (!isStream) {
    const news = await response.json();
    onData();
    onNews('', news);
    for (const { type, data } of news.data) onNews(type, data);
    return status;
  }
  const reader = body?.getReader();
  if (!reader) return 0;
  const decoder = new TextDecoder();
  const parse = parseEvents((type, data) => onNews(type, JSON.parse(data)));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return status;
    onData();
    parse(decoder.decode(value, { stream: true }));
  }
}
