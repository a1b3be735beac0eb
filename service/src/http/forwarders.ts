import type { Database, Service } from '../service.js';
import { minuteMs } from '../time.js';
import { listForwarders, saveForwarder } from './forwarders-queries.js';

/** How long a network counts as a forwarder after it was seen last. */
const forwarderMs = 60 * minuteMs;
/** How often a process writes that it saw the same one. */
const saveAgainMs = minuteMs;
/** How long a process goes on with what it read of others' forwarders, on the clock of `performance.now()`. */
const freshMs = 5000;
const most = 1000;

/** What a process knows: when each network was seen forwarding, and when that was saved. */
interface Known {
  readonly seen: Map<string, { seenAt: number; savedAt: number }>;
  readAt: number;
  hasWarned: boolean;
}

/** By database: several services in one process do not mix. */
const memory = new WeakMap<Service['db'], Known>();

function knownOf({ db }: Service): Known {
  const known = memory.get(db) ?? { seen: new Map(), readAt: Number.NEGATIVE_INFINITY, hasWarned: false };
  memory.set(db, known);
  return known;
}

/**
 * Notes that a peer which is no trusted proxy sent `X-Forwarded-For` or `Forwarded`: it may be a proxy that was not named,
 * whose address all its visitors seem to have. Warns once, and tells the other processes by the database.
 */
export function noteForwarder(service: Service, network: string): void {
  const { log, db } = service;
  const known = knownOf(service);
  if (!known.hasWarned) {
    known.hasWarned = true;
    log.warn(
      'A request carried X-Forwarded-For or Forwarded, and did not come from an address in TRUSTED_PROXIES. If it came from your proxy, add the proxy there: until then, all visitors seem to have its address, and publishable keys give no trust by it. The dashboard shows from where',
    );
  }
  const now = service.now();
  const savedAt = known.seen.get(network)?.savedAt ?? 0;
  const isDue = now.getTime() - savedAt >= saveAgainMs;
  remember(known, network, { seenAt: now.getTime(), savedAt: isDue ? now.getTime() : savedAt });
  if (!isDue) return;
  const since = new Date(now.getTime() - forwarderMs);
  saveForwarder(db, { network, at: now, since, most }).catch((error: unknown) => {
    known.seen.set(network, { seenAt: now.getTime(), savedAt: 0 });
    log.debug({ error }, 'A forwarder could not be saved');
  });
}

/** The newest last, so that those that were not seen for longest are forgotten first. */
function remember({ seen }: Known, network: string, times: { seenAt: number; savedAt: number }): void {
  seen.delete(network);
  seen.set(network, times);
  const [oldest] = seen.keys();
  if (seen.size > most && oldest !== undefined) seen.delete(oldest);
}

/**
 * Returns whether a network forwarded requests within the last hour without being a trusted proxy. What another process
 * saw counts here within 5 seconds.
 */
export async function isForwarder(db: Database, service: Service, network: string): Promise<boolean> {
  await readOthers(db, service);
  const seenAt = knownOf(service).seen.get(network)?.seenAt;
  return seenAt !== undefined && service.now().getTime() - seenAt < forwarderMs;
}

/** Returns the networks that forwarded requests within the last hour, the latest first. */
export async function forwarders(db: Database, service: Service): Promise<string[]> {
  await readOthers(db, service);
  const since = service.now().getTime() - forwarderMs;
  const recent = [...knownOf(service).seen].filter(([, { seenAt }]) => seenAt > since);
  return recent.sort(([, one], [, other]) => other.seenAt - one.seenAt).map(([network]) => network);
}

async function readOthers(db: Database, service: Service): Promise<void> {
  const known = knownOf(service);
  if (performance.now() - known.readAt < freshMs) return;
  known.readAt = performance.now();
  const since = new Date(service.now().getTime() - forwarderMs);
  for (const { network, seen_at } of await listForwarders(db, since)) {
    const own = known.seen.get(network);
    if (own && own.seenAt >= seen_at.getTime()) continue;
    remember(known, network, { seenAt: seen_at.getTime(), savedAt: own?.savedAt ?? 0 });
  }
}
