import type { DetachedData } from '../wire/events.js';
import { parseEvents } from './parse-events.js';

/** What is told of a device: with `detached`, how; with any type, perhaps a newer token. */
export type News = DetachedData & { readonly device_token?: string };

export interface Reading {
  readonly url: string;
  readonly token: string;
  /** Whether to read a stream, until it ends, instead of what there is now. */
  readonly isStream: boolean;
  readonly signal: AbortSignal;
  /** At each sign of life. */
  onSign(): void;
  onNews(type: string, news: News): void;
}

/**
 * Asks for the news of a device, and reads the answer to its end.
 *
 * @returns the status of the answer; 0 where this browser reads no streams.
 * @throws (rejects with) whatever it is that breaks.
 */
export async function readNews({ url, token, isStream, signal, onSign, onNews }: Reading): Promise<number> {
  const accept = isStream ? 'text/event-stream' : 'application/json';
  const headers = { Authorization: `Bearer ${token}`, Accept: accept };
  const response = await fetch(url, { headers, cache: 'no-store', signal });
  const { status, body } = response;
  if (status !== 200) return status;
  if (!isStream) {
    const news = await response.json();
    onSign();
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
    onSign();
    parse(decoder.decode(value, { stream: true }));
  }
}
