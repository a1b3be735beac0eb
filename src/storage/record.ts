import { agree, countReadable } from '../fingerprint/format.js';

/** How long an older fingerprint is kept as the last one where no evaluation acknowledges the change. */
export const keptDays = 30;

/** What is saved of one browser. */
export interface SavedRecord {
  /** The newest fingerprint. */
  readonly current: string;
  /** When `current` was saved, in milliseconds since 1970. */
  readonly savedAt: number;
  /** The oldest fingerprint that a change left behind and no evaluation has acknowledged yet. */
  readonly previous?: string | undefined;
  /** When `previous` was left behind, in milliseconds since 1970. */
  readonly changedAt?: number | undefined;
}

/** The record that follows on a saved one when a fingerprint was read. */
export function advance(saved: SavedRecord | undefined, current: string, now: number): SavedRecord {
  if (!saved) return { current, savedAt: now };
  const isKept = now - (saved.changedAt ?? 0) < keptDays * 86_400_000;
  const { previous, changedAt } = isKept ? saved : {};
  if (agree(saved.current, current)) {
    // A facet that could not be read this time is no change, and what was read before is worth keeping.
    const richer = countReadable(current) < countReadable(saved.current) ? saved.current : current;
    return { current: richer, savedAt: now, previous, changedAt };
  }
  if (previous === undefined) return { current, savedAt: now, previous: saved.current, changedAt: now };
  return agree(previous, current) ? { current, savedAt: now } : { current, savedAt: now, previous, changedAt };
}

/**
 * The record that follows on a saved one when the service has answered for a pair: the change that it was told of is
 * over. A change since then is still to be told, and starts from the fingerprint that was sent.
 */
export function settle(saved: SavedRecord | undefined, current: string, last: string, now: number): SavedRecord {
  const sent = { current, savedAt: now };
  if (!saved) return sent;
  if (saved.previous !== last || agree(last, current)) return saved;
  // Newer than the saved one in any case: a place that misses this must not win over it.
  return advance(sent, saved.current, Math.max(now, saved.savedAt + 1));
}

/** The last saved fingerprint as `getHash` gives it, from the record found before `advance` and the one after. */
export function lastOf(found: SavedRecord | undefined, advanced: SavedRecord): string {
  return found ? (advanced.previous ?? found.current) : '';
}

/** The newest of the records found, leaving out what is none. */
export function newest(...found: unknown[]): SavedRecord | undefined {
  return found.filter(isRecord).sort((a, b) => b.savedAt - a.savedAt)[0];
}

function isRecord(value: unknown): value is SavedRecord {
  const { current, savedAt, previous, changedAt }: Partial<Record<keyof SavedRecord, unknown>> = Object(value);
  return isEntry(current, savedAt) && (previous === undefined ? changedAt === undefined : isEntry(previous, changedAt));
}

function isEntry(fingerprint: unknown, time: unknown): boolean {
  return typeof fingerprint === 'string' && /^w\d+\./.test(fingerprint) && Number.isFinite(time);
}
