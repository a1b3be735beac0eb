import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Exchange } from './api.js';

const MAX_EXCHANGES_PER_VISITOR = 60;
const MAX_VISITORS = 200;

const SECRET = /password|secret|authorization/i;
const TOKEN = /token|proof/i;
const SHOWN_TOKEN_LENGTH = 16;
const MAX_TEXT_LENGTH = 200;

/** An exchange without a response so far. */
interface Pending {
  readonly visitor: string;
  exchange: Exchange;
}

export interface Answered {
  readonly status: number;
  readonly answer?: unknown;
}

/**
 * Records each visitor's newest requests and their responses for the side panel: in memory, without secrets. Code that
 * calls the service during a visitor's request does not need to know the visitor.
 */
export class ExchangeLog {
  readonly #pending = new AsyncLocalStorage<Pending>();
  readonly #visitors = new Map<string, Map<string, Exchange>>();
  readonly #events = new EventEmitter<Record<string, [Exchange]>>().setMaxListeners(0);

  /** Records a visitor's request and what `answer` returns. Errors of `answer` are passed on. */
  async recordRequest<Result extends Answered>(
    visitor: string,
    about: Pick<Exchange, 'method' | 'path'>,
    answer: () => Promise<Result>,
  ): Promise<Result> {
    const pending: Pending = { visitor, exchange: { id: randomUUID(), from: 'page', to: 'server', ...about } };
    return this.#pending.run(pending, () => this.#record(pending, answer));
  }

  /** Adds the body to the visitor's current request. */
  addRequest(request: unknown): void {
    const pending = this.#pending.getStore();
    if (!pending) return;
    pending.exchange = { ...pending.exchange, request };
    this.#store(pending.visitor, pending.exchange);
  }

  /** Records a call to the service as part of the visitor's current request. */
  async recordCall<Result extends Answered>(
    about: Pick<Exchange, 'method' | 'path' | 'request'>,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const pending = this.#pending.getStore();
    if (!pending) return call();
    const { visitor, exchange } = pending;
    const within = exchange.id;
    return this.#record(
      { visitor, exchange: { id: randomUUID(), within, from: 'server', to: 'service', ...about } },
      call,
    );
  }

  /** Adds an exchange that belongs to no visitor, for all visitors. */
  addForAll(exchange: Exchange): void {
    for (const visitor of [...this.#visitors.keys()]) this.#store(visitor, exchange);
  }

  /** Returns a visitor's exchanges, oldest first. */
  of(visitor: string): Exchange[] {
    return [...(this.#visitors.get(visitor)?.values() ?? [])];
  }

  /** @returns A function that removes the listener. */
  onExchange(visitor: string, listener: (exchange: Exchange) => void): () => void {
    this.#events.on(visitor, listener);
    return () => this.#events.off(visitor, listener);
  }

  async #record<Result extends Answered>(pending: Pending, act: () => Promise<Result>): Promise<Result> {
    const { visitor } = pending;
    const started = performance.now();
    const duration = () => ({ durationMs: Math.round(performance.now() - started) });
    this.#store(visitor, pending.exchange);
    try {
      const result = await act();
      const { status, answer } = result;
      this.#store(visitor, { ...pending.exchange, status, answer, ...duration() });
      return result;
    } catch (error) {
      this.#store(visitor, { ...pending.exchange, status: 0, ...duration() });
      throw error;
    }
  }

  #store(visitor: string, { request, answer, ...rest }: Exchange): void {
    const exchange = { ...rest, request: shorten(request), answer: shorten(answer) };
    const exchanges = this.#visitors.get(visitor) ?? new Map<string, Exchange>();
    exchanges.set(exchange.id, exchange);
    dropOldest(exchanges, MAX_EXCHANGES_PER_VISITOR);
    this.#visitors.set(visitor, exchanges);
    dropOldest(this.#visitors, MAX_VISITORS);
    this.#events.emit(visitor, exchange);
  }
}

function dropOldest(map: Map<string, unknown>, maxSize: number): void {
  for (const key of map.keys()) {
    if (map.size <= maxSize) return;
    map.delete(key);
  }
}

/** Returns the value without secrets, and with only the beginning of tokens and long texts. */
function shorten(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return shortenText(value, name);
  if (Array.isArray(value)) return value.map((item) => shorten(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, key)]));
}

function shortenText(text: string, name: string): string {
  if (SECRET.test(name)) return '••••••••';
  const shown = TOKEN.test(name) ? SHOWN_TOKEN_LENGTH : MAX_TEXT_LENGTH;
  return text.length > shown ? `${text.slice(0, shown)}… (${text.length} characters)` : text;
}
