import { randomUUID } from 'node:crypto';
import { exchangeDemands } from '../resources/quotas/demand-queries.js';
import type { Service } from '../resources/service.js';

/** Interval in which processes tell each other their demand. The queries of an exchange rely on it. */
const INTERVAL_MS = 1000;
/** Part of its limit from which a key is busy in a process. Below it, its requests there are not shared. */
const BUSY_PART = 1 / 8;
/** An honest page may send a few requests in a second. Sharing these would take a row for each visitor. */
const MIN_BUSY = 4;
/** Number of busy keys and addresses that one process shares, the busiest first. */
const MAX_SHARED = 1000;

interface Demand {
  count: number;
  readonly perSecond: number;
}

/**
 * Divides rate limits among the processes on one database, without a query for each request. Every second, each process
 * saves how many requests it got for busy keys and addresses, and reads what the others got. A request then weighs as
 * much more as all processes got more requests than this one: with a third of the demand, a process grants a third of the
 * limit.
 */
export class SharedDemand {
  readonly #service: Pick<Service, 'db' | 'vault' | 'log'>;
  readonly #process = randomUUID();
  #demands = new Map<string, Demand>();
  #weights = new Map<string, number>();
  #countedSince = performance.now();
  #exchange: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(service: Pick<Service, 'db' | 'vault' | 'log'>) {
    this.#service = service;
  }

  /** Starts the exchange with other processes. Until then, every request weighs 1. */
  start(): void {
    this.#timer = setInterval(() => {
      this.#exchange ??= this.#exchangeBusy().finally(() => {
        this.#exchange = undefined;
      });
    }, INTERVAL_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#exchange;
  }

  /** Counts a request, and returns its weight: 1 or more, at most the limit. */
  weigh(subject: string, perSecond: number): number {
    if (this.#timer === undefined) return 1;
    const known = this.#demands.get(subject);
    if (known) known.count += 1;
    else this.#demands.set(subject, { count: 1, perSecond });
    // A process with little of the demand still grants one request a second.
    return Math.min(this.#weights.get(subject) ?? 1, Math.max(1, perSecond));
  }

  async #exchangeBusy(): Promise<void> {
    // A busy process is late.
    const seconds = (performance.now() - this.#countedSince) / 1000;
    const busy = this.#busiest(seconds);
    this.#demands = new Map();
    this.#countedSince = performance.now();
    if (busy.length === 0) {
      this.#weights = new Map();
      return;
    }
    const { db, vault, log } = this.#service;
    const indexOf = (subject: string) => vault.blindIndex(subject, 'request_demands').toString('base64url');
    const shared = busy.map(({ name, demand }) => ({ name, demand, subject: indexOf(name) }));
    try {
      const rows = await exchangeDemands(db, {
        process: this.#process,
        subjects: shared.map(({ subject }) => subject),
        demands: shared.map(({ demand }) => demand),
      });
      const others = new Map(rows.map(({ subject, demand }) => [subject, demand]));
      this.#weights = new Map(
        shared.map(({ name, demand, subject }) => [name, 1 + (others.get(subject) ?? 0) / demand]),
      );
    } catch (error) {
      // The last weights stay, which is better than none. Requests report the unreachable database.
      log.debug({ err: error }, 'Rate limits could not be shared');
    }
  }

  /** Returns the busiest keys and addresses, with their requests per second. */
  #busiest(seconds: number): { readonly name: string; readonly demand: number }[] {
    return [...this.#demands]
      .map(([name, { count, perSecond }]) => ({ name, perSecond, demand: Math.round(count / seconds) }))
      .filter(({ name, perSecond, demand }) => {
        const busy = Math.max(MIN_BUSY, perSecond * BUSY_PART);
        // Half as much keeps it shared, so that a demand of about this size is not shared every other second.
        return demand >= (this.#weights.has(name) ? busy / 2 : busy);
      })
      .sort((one, other) => other.demand - one.demand)
      .slice(0, MAX_SHARED);
  }
}
