import { parseEvents } from '../../../src/on-detached/parse-events.js';
import type { Parsed } from './api.js';

/** Page that reads the events of its device. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Events received so far. */
  readonly events: readonly { readonly type: string; readonly data: Parsed }[];
  /** Returns the raw stream, with IDs and comments. */
  text(): string;
  /** Whether the service has ended the stream. */
  hasEnded(): boolean;
  /** Closes the connection. */
  close(): void;
}

/** Opens a stream of events and reads it in the background. */
export async function openEvents(
  base: string,
  { device, token, headers = {} }: { device: string; token: string; headers?: Readonly<Record<string, string>> },
): Promise<EventReader> {
  const hangUp = new AbortController();
  const response = await fetch(new URL(`/v2/device/${device}/events`, base), {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...headers },
    signal: hangUp.signal,
  });
  let text = '';
  let hasEnded = false;
  const events: { type: string; data: Parsed }[] = [];
  const parse = parseEvents((type, data) => events.push({ type, data: JSON.parse(data) }));
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      parse(chunk);
    }
    hasEnded = true;
  };
  // The test has closed the connection.
  read().catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    hasEnded: () => hasEnded,
    close: () => hangUp.abort(),
  };
}
