import { dayMs } from '../../../../ground/time.js';

/** What the checks of a new file know about it. */
export interface FileFacts {
  readonly bytes: number;
  /** Of a database. */
  readonly builtAt?: Date;
  /** Of a list. */
  readonly ranges?: number;
  /** Of a list: the share of all public addresses that it covers. */
  readonly share?: number;
}

/** Clocks of publishers may be wrong by this much. */
const toleranceMs = 2 * dayMs;
/** Even lists of all hosting companies or mobile networks cover less. */
const maxShare = 0.25;

/**
 * Returns why a valid file must not replace the one in use. Returns undefined if it may.
 *
 * A database from the future would refuse every later one, and a list of nearly everything would call everybody a user of
 * Tor.
 */
export function refusalOf(next: FileFacts, used: FileFacts | undefined, now: Date): string | undefined {
  const { builtAt, ranges, bytes, share = 0 } = next;
  if (builtAt && builtAt.getTime() > now.getTime() + toleranceMs) {
    return `its build date, ${dateOf(builtAt)}, is in the future`;
  }
  if (share > maxShare) return `it covers ${Math.round(share * 100)}% of all addresses`;
  if (builtAt && used?.builtAt && builtAt < used.builtAt) {
    return `it was built on ${dateOf(builtAt)}, before the one in use (${dateOf(used.builtAt)})`;
  }
  if (ranges !== undefined) {
    return used?.ranges !== undefined && ranges < used.ranges / 2
      ? `it has ${ranges} ranges, less than half of the ${used.ranges} in use`
      : undefined;
  }
  return used && bytes < used.bytes / 2
    ? `it has ${bytes} bytes, less than half of the ${used.bytes} in use`
    : undefined;
}

function dateOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
