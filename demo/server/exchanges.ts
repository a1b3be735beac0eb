import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Exchange } from './api.js';

const KEPT_PER_VISITOR = 60;
const KEPT_VISITORS = 200;

interface Course {
  readonly visitor: string;
  readonly id: string;
}

/** What comes back, as far as it is shown. */
export interface Answered {
  readonly status: number;
  readonly answer?: unknown;
}

/**
 * Keeps what went to and fro for each visitor, for the side panel: in memory, the newest ones. Whoever calls the service
 * while a visitor's request is answered need not know of the visitor.
 */
export class ExchangeLog {
  readonly #course = new AsyncLocalStorage<Course>();
  readonly #visitors = new Map<string, Map<string, Exchange>>();
  readonly #events = new EventEmitter<Record<string, [Exchange]>>().setMaxListeners(0);

  /** Answers a visitor's request, and keeps both. What `answer` throws is for the caller to answer. */
  async answering<Result extends Answered>(
    visitor: string,
    about: Pick<Exchange, 'method' | 'path' | 'request'>,
    answer: () => Promise<Result>,
  ): Promise<Result> {
    const course = { visitor, id: randomUUID() };
    const exchange = { id: course.id, from: 'page', to: 'server', ...about } as const;
    return this.#course.run(course, () => this.#keepBoth(visitor, exchange, answer));
  }

  /** Calls the service, and keeps both under the request that is being answered. */
  async calling<Result extends Answered>(
    about: Pick<Exchange, 'method' | 'path' | 'request'>,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const course = this.#course.getStore();
    if (!course) return call();
    const exchange = { id: randomUUID(), within: course.id, from: 'server', to: 'service', ...about } as const;
    return this.#keepBoth(course.visitor, exchange, call);
  }

  /** Keeps what is no visitor's own, for all of them. */
  tellAll(exchange: Exchange): void {
    for (const visitor of [...this.#visitors.keys()]) this.#keep(visitor, exchange);
  }

  /** The oldest first. */
  of(visitor: string): Exchange[] {
    return [...(this.#visitors.get(visitor)?.values() ?? [])];
  }

  /** @returns What ends it. */
  onExchange(visitor: string, listener: (exchange: Exchange) => void): () => void {
    this.#events.on(visitor, listener);
    return () => this.#events.off(visitor, listener);
  }

  async #keepBoth<Result extends Answered>(
    visitor: string,
    exchange: Exchange,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const started = performance.now();
    const duration = () => ({ durationMs: Math.round(performance.now() - started) });
    this.#keep(visitor, exchange);
    try {
      const result = await act();
      const { status, answer } = result;
      this.#keep(visitor, { ...exchange, status, answer, ...duration() });
      return result;
    } catch (error) {
      this.#keep(visitor, { ...exchange, status: 0, ...duration() });
      throw error;
    }
  }

  #keep(visitor: string, exchange: Exchange): void {
    const kept = this.#visitors.get(visitor) ?? new Map<string, Exchange>();
    kept.set(exchange.id, exchange);
    dropOldest(kept, KEPT_PER_VISITOR);
    this.#visitors.set(visitor, kept);
    dropOldest(this.#visitors, KEPT_VISITORS);
    this.#events.emit(visitor, exchange);
  }
}

function dropOldest(map: Map<string, unknown>, kept: number): void {
  for (const key of map.keys()) {
    if (map.size <= kept) return;
    map.delete(key);
  }
}
