/** Position in PostgreSQL's log, as `pg_lsn` prints it: `16/B374D848`. A standby at a position has every commit before it. */
export type LogPosition = string;

/** Returns the number of a position. Returns undefined if the text is not one. */
function numberOf(position: LogPosition): bigint | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(position) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Returns whether a text is a position. */
export function isLogPosition(text: string): boolean {
  return numberOf(text) !== undefined;
}

/** After every position. */
export const lastPosition: LogPosition = 'FFFFFFFF/FFFFFFFF';

/** Returns the later of two positions. An invalid one counts as the first of all. */
export function laterOf(one: LogPosition, other: LogPosition): LogPosition {
  return hasReached(one, other) ? one : other;
}

/** Returns whether a position includes another one. */
export function hasReached(position: LogPosition, other: LogPosition): boolean {
  return (numberOf(position) ?? 0n) >= (numberOf(other) ?? 0n);
}

/** End of the primary's log at a time. */
export interface Sample {
  readonly position: LogPosition;
  readonly atMs: number;
}

/** Number of samples from which old ones are thinned out. A standby can be paused for days. */
const maxSamples = 1000;
/** Old samples are further apart than this share of their age. */
const spacing = 0.01;

/**
 * Adds a sample. Samples of a primary that has less than the one before are of another one, after a failover, and replace
 * all earlier samples.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const [last, next] = [samples.at(-1), numberOf(sample.position)];
  if (next === undefined) return samples;
  const before = last && numberOf(last.position);
  if (before === undefined || next < before) return [sample];
  // The first of equal samples says since when.
  if (next === before) return samples;
  return [...(samples.length < maxSamples ? samples : thinned(samples, sample.atMs)), sample];
}

function thinned(samples: readonly Sample[], nowMs: number): readonly Sample[] {
  const kept: Sample[] = [];
  for (const sample of samples) {
    const last = kept.at(-1);
    if (!last || sample.atMs - last.atMs >= (nowMs - sample.atMs) * spacing) kept.push(sample);
  }
  return kept;
}

/**
 * Returns the position that a standby must have reached to be at most `maxLagMs` behind. Returns undefined if nothing is known
 * of the primary.
 */
export function requiredPosition(samples: readonly Sample[], nowMs: number, maxLagMs: number): LogPosition | undefined {
  const old = samples.findLast(({ atMs }) => atMs <= nowMs - maxLagMs);
  return (old ?? samples[0])?.position;
}

/** Returns for how long the primary has had something that a standby at a position does not have, in milliseconds. */
export function lagOf(samples: readonly Sample[], replayed: LogPosition, nowMs: number): number {
  const missing = samples.find(({ position }) => !hasReached(replayed, position));
  return missing ? Math.max(0, nowMs - missing.atMs) : 0;
}
