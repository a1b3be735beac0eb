import { agree, countUnreadable } from '../fingerprint/format.js';
import { ownFields } from '../own-fields.js';

/** How long the previous fingerprint is kept as the last one if no evaluation acknowledges the change. */
export const keptDays = 30;

/** The saved record of a browser. */
export interface SavedRecord {
  /** The newest fingerprint. */
  readonly current: string;
  /** When `current` was saved, in milliseconds since 1970. */
  readonly savedAt: number;
  /** The oldest fingerprint that was replaced and that no evaluation has acknowledged yet. */
  readonly previous?: string | undefined;
  /** When `previous` was replaced, in milliseconds since 1970. */
  readonly changedAt?: number | undefined;
}

/** Returns the record to save after a fingerprint was read. */
export function advance(saved: SavedRecord | undefined, current: string, now: number): SavedRecord {
  if (!saved) return { current, savedAt: now };
  // Always newer than the saved record, also after the clock was set back, so that a storage that misses this update does
  // not take precedence.
  const savedAt = Math.max(now, saved.savedAt + 1);
  const isKept = now - (saved.changedAt ?? 0) < keptDays * 86_400_000;
  const { previous, changedAt } = isKept ? saved : ownFields<Partial<SavedRecord>>({});
  if (agree(saved.current, current)) {
    // A facet that could not be read this time is not a change, and its earlier value is worth keeping.
    const richer = countUnreadable(current) > countUnreadable(saved.current) ? saved.current : current;
    return { current: richer, savedAt, previous, changedAt };
  }
  if (agree(previous ?? '', current)) return { current, savedAt };
  return { current, savedAt, previous: previous ?? saved.current, changedAt: changedAt ?? now };
}

/**
 * Returns the record to save after the service has responded to a pair: the change between the two is acknowledged. A
 * later change is still to be reported, starting from the fingerprint that was sent.
 */
export function acknowledged(saved: SavedRecord | undefined, current: string, last: string, now: number): SavedRecord {
  if (!saved) return { current, savedAt: now };
  if (saved.previous !== last || agree(last, current)) return saved;
  return advance({ current, savedAt: saved.savedAt }, saved.current, now);
}

/** Returns the last saved fingerprint for `getHash`, from the record before `advance` and the one after it. */
export function lastOf(found: SavedRecord | undefined, advanced: SavedRecord): string {
  return found ? (advanced.previous ?? found.current) : '';
}

/** Returns the newest valid record, or undefined if there is none. */
export function newest(...found: unknown[]): SavedRecord | undefined {
  return found
    .map((value) => ownFields(Object(value)))
    .filter(isRecord)
    .sort((a, b) => b.savedAt - a.savedAt)[0];
}

function isRecord(value: Partial<Record<keyof SavedRecord, unknown>>): value is SavedRecord {
  const { current, savedAt, previous, changedAt } = value;
  return isEntry(current, savedAt) && (previous === undefined ? changedAt === undefined : isEntry(previous, changedAt));
}

function isEntry(fingerprint: unknown, time: unknown): boolean {
  return typeof fingerprint === 'string' && /^w\d+\./.test(fingerprint) && Number.isFinite(time);
}
