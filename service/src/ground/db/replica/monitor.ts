import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/index.js';
import { type LogPosition, lagOf, requiredPosition, type Sample, withSample } from './position-rules.js';
import { inspectPrimary, inspectStandby, type PrimaryState } from './server-queries.js';

const CHECK_EVERY_MS = 1000;

/** `used`: reads go to the replica. With any other status, they go to the primary. */
export type ReplicaStatus = 'used' | 'behind' | 'unreachable' | 'not_a_standby' | 'another_database';

export interface ReplicaState {
  readonly status: ReplicaStatus;
  /** How far it is behind, to about a second, in milliseconds. Undefined if it is not known. */
  readonly lagMs: number | undefined;
}

export interface MonitorOptions {
  readonly primary: Kysely<Schema>;
  readonly replica: Kysely<Schema>;
  /** A replica that is further behind is not used, in milliseconds. */
  readonly maxLagMs: number;
  /** Called after the first check, and when the status changes. */
  readonly onChange: (state: ReplicaState) => void;
  /** Called after each check that finds it unreachable. */
  readonly onUnreachable: () => void;
}

/** Compares a replica with its primary every second. */
export class ReplicaMonitor {
  readonly #options: MonitorOptions;
  readonly #stopping = new AbortController();
  #samples: readonly Sample[] = [];
  #state: ReplicaState | undefined;
  #running: Promise<void> | undefined;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get state(): ReplicaState {
    return this.#state ?? { status: 'unreachable', lagMs: undefined };
  }

  /** Returns the position that the replica must have reached to be used. Undefined if it must not be used. */
  requiredPosition(): LogPosition | undefined {
    if (this.state.status !== 'used') return undefined;
    return requiredPosition(this.#samples, performance.now(), this.#options.maxLagMs);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async check(): Promise<ReplicaState> {
    const { primary, replica, onChange, onUnreachable } = this.#options;
    // The primary first: the replica may lack what it had before.
    const sampledMs = performance.now();
    const known = await inspectPrimary(primary).catch(() => undefined);
    if (known) this.#samples = withSample(this.#samples, { position: known.position, atMs: sampledMs });
    const state = await this.#compare(replica, known);
    const isNew = state.status !== this.#state?.status;
    this.#state = state;
    if (isNew) onChange(state);
    if (state.status === 'unreachable') onUnreachable();
    return state;
  }

  async #compare(replica: Kysely<Schema>, primary: PrimaryState | undefined): Promise<ReplicaState> {
    const standby = await inspectStandby(replica).catch(() => undefined);
    if (!standby) return { status: 'unreachable', lagMs: undefined };
    if (primary && primary.identity !== standby.identity) return { status: 'another_database', lagMs: undefined };
    if (!standby.isStandby || standby.replayed === null) return { status: 'not_a_standby', lagMs: undefined };
    // Without a first sample, nothing says how old it is.
    if (this.#samples.length === 0) return { status: 'unreachable', lagMs: undefined };
    const lagMs = lagOf(this.#samples, standby.replayed, performance.now());
    return { status: lagMs > this.#options.maxLagMs ? 'behind' : 'used', lagMs };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await pause(CHECK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.check();
    }
  }
}
