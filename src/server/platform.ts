import type { Signal } from '../signal.js';

/** What a request is made with. */
export interface FetchInit {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: Signal;
}

/** What is read of an answer. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The part of `fetch` that the client uses. The global one is of this type; so is one that goes through a proxy. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;
