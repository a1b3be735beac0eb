import type { Signal } from '../signal.js';

/** The options of a request. */
export interface FetchInit {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: Signal;
}

/** The parts of a response that the client reads. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** A stream in the global `fetch`. Without it, the size of a response is only checked after it was read. */
  readonly body?: unknown;
}

/** The part of `fetch` that the client uses. The global `fetch` and the `fetch` of proxy libraries have this type. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
