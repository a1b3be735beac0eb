import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Reason, Verdict } from 'whorl/wire';
import type { ReplicaState } from '../ground/db/replica/replica.js';
import { type Column, columns } from '../ground/vocabulary.js';
import type { ContactKind } from '../resources/users/rules/contacts.js';

/** Metrics of this process. docs/api.md lists the names. */
export interface Metrics {
  /** Returns all of them as text for Prometheus, with its content type. */
  scrape(): Promise<{ readonly text: string; readonly type: string }>;
  /** `whorl_http_requests_total` by method, route and status, and `whorl_http_request_duration_seconds`. */
  countRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  /** `whorl_verdicts_total` by action and verdict, and `whorl_reasons_total` by reason. */
  countVerdict(evaluation: { action: string; verdict: Verdict; reasons: readonly Reason[] }): void;
  /** `whorl_failed_attempts_total` by action and verdict. These are not counted as verdicts. */
  countFailure(attempt: { action: string; verdict: Verdict }): void;
  /** `whorl_claims_total` by verdict: evaluations with publishable keys, consumed or not. */
  countClaim(verdict: Verdict): void;
  /** `whorl_deliveries_total` by channel (`email`, `text`, `webhook`) and outcome. */
  countDelivery(delivery: { channel: string; outcome: 'delivered' | 'failed' }): void;
  /** `whorl_unreadable_contacts_total` by kind (`email`, `phone`): contacts that were ignored. */
  countUnreadableContact(kind: ContactKind): void;
  /** `whorl_address_updates_total` by source and outcome. */
  countAddressUpdate(update: { source: string; outcome: 'updated' | 'unchanged' | 'failed' }): void;
  /** `whorl_address_source_age_seconds` by source. Computed at each scrape. */
  watchAddresses(ages: () => ReadonlyMap<string, number>): void;
  /**
   * `whorl_queue_jobs` by queue: waiting jobs, and waiting deliveries as `webhooks`. Computed at each scrape. Without values
   * if they are undefined.
   */
  watchQueue(depths: () => Promise<Readonly<Record<string, number>> | undefined>): void;
  /** `whorl_replica_lag_seconds` and `whorl_replica_used` (1 or 0), at each scrape. Without values if there is no replica. */
  watchReplica(state: () => ReplicaState | undefined): void;
  /** `whorl_device_streams`: open event streams. Computed at each scrape. */
  watchStreams(count: () => number): void;
}

let ofProcess: Registry | undefined;

/** Returns the metrics of the process itself, such as its memory. Their timers and observers cannot be stopped. */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Creates metrics in a separate registry, so that several services in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const shared = processMetrics();
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const requests = counter('whorl_http_requests_total', 'Completed requests.', ['method', 'route', 'status']);
  const verdicts = counter('whorl_verdicts_total', 'Verdicts of evaluations.', ['action', 'verdict']);
  const reasons = counter('whorl_reasons_total', 'Reasons of verdicts.', ['reason']);
  const failures = counter('whorl_failed_attempts_total', 'Failed attempts that were reported.', ['action', 'verdict']);
  const claims = counter('whorl_claims_total', 'Evaluations with publishable keys.', ['verdict']);
  const deliveries = counter('whorl_deliveries_total', 'Attempted deliveries.', ['channel', 'outcome']);
  const contacts = counter('whorl_unreadable_contacts_total', 'Contacts ignored because they cannot be parsed.', [
    'kind',
  ]);
  const updates = counter('whorl_address_updates_total', 'Updates of sources of addresses.', ['source', 'outcome']);
  const durations = new Histogram({
    name: 'whorl_http_request_duration_seconds',
    help: 'Time from receiving a request to its response.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    async scrape() {
      const all = Registry.merge([shared, registry]);
      return { text: await all.metrics(), type: all.contentType };
    },
    countRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    countVerdict({ action, verdict, reasons: found }) {
      verdicts.inc({ action: labelOf(action), verdict });
      for (const reason of found) reasons.inc({ reason });
    },
    countFailure: ({ action, verdict }) => failures.inc({ action: labelOf(action), verdict }),
    countClaim: (verdict) => claims.inc({ verdict }),
    countDelivery: (delivery) => deliveries.inc({ ...delivery }),
    countUnreadableContact: (kind) => contacts.inc({ kind }),
    countAddressUpdate: (update) => updates.inc({ ...update }),
    watchAddresses: (ages) => watchAges(registry, ages),
    watchQueue: (depths) => watch(registry, depths),
    watchStreams: (count) => watchStreams(registry, count),
    watchReplica: (state) => watchReplica(registry, state),
  };
}

/** Customers choose the names of actions; as labels their number would be unbounded. */
function labelOf(action: string): Column | 'other' {
  return columns.find((column) => column === action) ?? 'other';
}

function watch(registry: Registry, depths: () => Promise<Readonly<Record<string, number>> | undefined>): void {
  new Gauge({
    name: 'whorl_queue_jobs',
    help: 'Waiting jobs.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const known = (await depths()) ?? {};
      this.reset();
      for (const [queue, depth] of Object.entries(known)) this.set({ queue }, depth);
    },
  });
}

function watchStreams(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'whorl_device_streams',
    help: 'Open event streams of devices.',
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}

function watchReplica(registry: Registry, state: () => ReplicaState | undefined): void {
  new Gauge({
    name: 'whorl_replica_lag_seconds',
    help: 'How far the read replica is behind.',
    registers: [registry],
    collect() {
      const lagMs = state()?.lagMs;
      if (lagMs === undefined) this.remove();
      else this.set(lagMs / 1000);
    },
  });
  new Gauge({
    name: 'whorl_replica_used',
    help: 'Whether reads go to the read replica.',
    registers: [registry],
    collect() {
      const now = state();
      if (now) this.set(now.status === 'used' ? 1 : 0);
      else this.remove();
    },
  });
}

function watchAges(registry: Registry, ages: () => ReadonlyMap<string, number>): void {
  new Gauge({
    name: 'whorl_address_source_age_seconds',
    help: 'Age of the databases and lists of addresses.',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      // A source may have been removed.
      this.reset();
      for (const [source, seconds] of ages()) this.set({ source }, seconds);
    },
  });
}
