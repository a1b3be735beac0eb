import { randomUUID } from 'node:crypto';
import { perService, type Service } from '../../resources/service.js';
import { storeCounts } from './queries.js';
import type { CountedSubject } from './rules/counts.js';
import { type Counted, PendingCounts, type PendingRow } from './rules/pending-counts.js';

/** A crash loses the counts of at most this time, and of the time that storing them takes. */
const storeEveryMs = 500;

/** What a process has counted and not stored yet. */
interface Counting {
  /** ID of the process. */
  readonly process: string;
  readonly worlds: Map<string, PendingCounts>;
  timer: NodeJS.Timeout | undefined;
  /** Ends when all that was to be stored so far is stored. Never rejects. */
  storing: Promise<void>;
}

const countingOf = perService(
  (): Counting => ({ process: randomUUID(), worlds: new Map(), timer: undefined, storing: Promise.resolve() }),
);

/**
 * Counts an evaluation that was committed. The count is stored within a second, in a batch: a row per evaluation and subject
 * would cost more than storing the evaluation, and evaluations of a busy subject would wait for each other.
 */
export function countEvaluation(service: Service, worldId: string, counted: Counted): void {
  const counting = countingOf(service);
  const pending = counting.worlds.get(worldId) ?? new PendingCounts();
  counting.worlds.set(worldId, pending);
  pending.add(counted);
  schedule(service, counting);
}

function schedule(service: Service, counting: Counting): void {
  counting.timer ??= setTimeout(() => void storePending(service), storeEveryMs).unref();
}

/** Returns the ID of this process, and what it has not stored of some subjects. */
export function pendingOf(
  service: Pick<Service, 'memory'>,
  worldId: string,
  subjects: readonly CountedSubject[],
): { readonly process: string; readonly rows: PendingRow[] } {
  const { process, worlds } = countingOf(service);
  return { process, rows: worlds.get(worldId)?.of(subjects) ?? [] };
}

/** Stores what is pending. What cannot be stored is logged, and stored later. */
export async function storePending(service: Service): Promise<void> {
  const counting = countingOf(service);
  clearTimeout(counting.timer);
  counting.timer = undefined;
  counting.storing = counting.storing.then(() => storeAll(service, counting));
  await counting.storing;
}

async function storeAll(service: Service, counting: Counting): Promise<void> {
  const { process, worlds } = counting;
  for (const [worldId, pending] of worlds) {
    const batch = pending.next();
    if (!batch) continue;
    try {
      await storeCounts(service.db, batch, { worldId, process, at: service.now() });
      pending.confirm();
    } catch (error) {
      service.log.warn({ error, worldId }, 'Counts of evaluations could not be stored yet');
      schedule(service, counting);
    }
  }
}

/** Forgets what is pending of a user. Call it after the user's stored counts were deleted, and `storePending` before. */
export function forgetPending(service: Pick<Service, 'memory'>, worldId: string, keys: readonly Uint8Array[]): void {
  const subjects = keys.map((key) => ({ kind: 'user', key }) as const);
  countingOf(service).worlds.get(worldId)?.forget(subjects);
}
