import { setNewest } from '../../ground/bounded-map-rules.js';
import { minuteMs } from '../../ground/time.js';
import { type Database, perService, type Service } from '../service.js';
import { listForwarders, saveForwarder } from './forwarders-queries.js';

/** Time for which a network counts as a forwarder after it was last seen. */
const forwarderMs = 60 * minuteMs;
/** Minimum interval between two writes for the same network. */
const saveIntervalMs = minuteMs;
/** Time for which forwarders seen by other processes are cached. Measured with `performance.now()`. */
const cacheMs = 5000;
const maxForwarders = 1000;

/** Forwarders known to this process. */
interface ForwarderCache {
  readonly seen: Map<string, { seenAt: number; savedAt: number }>;
  readAt: number;
  hasWarned: boolean;
}

const cacheOf = perService<ForwarderCache>(() => ({
  seen: new Map(),
  readAt: Number.NEGATIVE_INFINITY,
  hasWarned: false,
}));

/**
 * Records that a peer that is not a trusted proxy sent `X-Forwarded-For` or `Forwarded`. It may be a proxy that is missing
 * from the configuration, so that all its visitors seem to share one address. Logs a warning once per process, and shares
 * the network with other processes through the database.
 */
export function noteForwarder(service: Service, network: string): void {
  const { log, db } = service;
  const cache = cacheOf(service);
  if (!cache.hasWarned) {
    cache.hasWarned = true;
    log.warn(
      'A request with X-Forwarded-For or Forwarded came from an address that is not in TRUSTED_PROXIES. If it is your proxy, add it. Until then, all visitors seem to share its address, and publishable keys cannot build trust from it. The dashboard shows the address',
    );
  }
  const now = service.now();
  const savedAt = cache.seen.get(network)?.savedAt ?? 0;
  const isDue = now.getTime() - savedAt >= saveIntervalMs;
  const times = { seenAt: now.getTime(), savedAt: isDue ? now.getTime() : savedAt };
  setNewest(cache.seen, network, times, maxForwarders);
  if (!isDue) return;
  const since = new Date(now.getTime() - forwarderMs);
  saveForwarder(db, { network, at: now, since, limit: maxForwarders }).catch((error: unknown) => {
    cache.seen.set(network, { seenAt: now.getTime(), savedAt: 0 });
    log.debug({ error }, 'Saving a forwarder failed');
  });
}

/**
 * Returns whether a network forwarded requests within the last hour without being a trusted proxy. Networks seen by other
 * processes are included within 5 seconds.
 */
export async function isForwarder(db: Database, service: Service, network: string): Promise<boolean> {
  await readOthers(db, service);
  const seenAt = cacheOf(service).seen.get(network)?.seenAt;
  return seenAt !== undefined && service.now().getTime() - seenAt < forwarderMs;
}

/** Returns the networks that forwarded requests within the last hour, the latest first. */
export async function forwarders(db: Database, service: Service): Promise<string[]> {
  await readOthers(db, service);
  const since = service.now().getTime() - forwarderMs;
  const recent = [...cacheOf(service).seen].filter(([, { seenAt }]) => seenAt > since);
  return recent.sort(([, one], [, other]) => other.seenAt - one.seenAt).map(([network]) => network);
}

async function readOthers(db: Database, service: Service): Promise<void> {
  const cache = cacheOf(service);
  if (performance.now() - cache.readAt < cacheMs) return;
  cache.readAt = performance.now();
  const since = new Date(service.now().getTime() - forwarderMs);
  for (const { network, seen_at } of await listForwarders(db, since)) {
    const own = cache.seen.get(network);
    if (own && own.seenAt >= seen_at.getTime()) continue;
    setNewest(cache.seen, network, { seenAt: seen_at.getTime(), savedAt: own?.savedAt ?? 0 }, maxForwarders);
  }
}
