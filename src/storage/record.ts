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
  readonly previous?: string;
  /** When `previous` was left behind, in milliseconds since 1970. */
  readonly changedAt?: number;
}

/** The record that follows on a saved one when a fingerprint was read. */
export function advance(saved: SavedRecord | undefined, current: string, now: number): SavedRecord {
  if (!saved) return { current, savedAt: now };
  const kept = isKept(saved, now);
  const previous = kept ? saved.previous : undefined;
  const changedAt = kept ? saved.changedAt : undefined;
  if (agree(saved.current, current)) {
    // A facet that could not be read this time is no change, and what was read before is worth keeping.
    const richer = countReadable(current) < countReadable(saved.current) ? saved.current : current;
    return pack(richer, now, previous, changedAt);
  }
  if (previous === undefined) return pack(current, now, saved.current, now);
  return agree(previous, current) ? pack(current, now) : pack(current, now, previous, changedAt);
}

/** The last saved fingerprint as `getHash` gives it, from the record found before `advance` and the one after. */
export function lastOf(found: SavedRecord | undefined, advanced: SavedRecord): string {
  return found ? (advanced.previous ?? found.current) : '';
}

/** The newest of the records found, leaving out what is none. */
export function newest(...found: unknown[]): SavedRecord | undefined {
  return found
    .filter(isRecord)
    .reduce<SavedRecord | undefined>(
      (best, record) => (best && best.savedAt >= record.savedAt ? best : record),
      undefined,
    );
}

function pack(current: string, savedAt: number, previous?: string, changedAt?: number): SavedRecord {
  return previous === undefined || changedAt === undefined
    ? { current, savedAt }
    : { current, savedAt, previous, changedAt };
}

function isKept({ changedAt }: SavedRecord, now: number): boolean {
  return changedAt !== undefined && now - changedAt < keptDays * 86_400_000;
}

function isRecord(value: unknown): value is SavedRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { current, savedAt, previous, changedAt }: Partial<Record<keyof SavedRecord, unknown>> = value;
  const hasPrevious = previous !== undefined;
  return isEntry(current, savedAt) && (hasPrevious ? isEntry(previous, changedAt) : changedAt === undefined);
}

function isEntry(fingerprint: unknown, time: unknown): boolean {
  return typeof fingerprint === 'string' && /^w\d+\./.test(fingerprint) && Number.isFinite(time);
}
