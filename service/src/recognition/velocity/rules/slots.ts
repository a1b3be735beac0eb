import { hourMs, minuteMs } from '../../../ground/time.js';
import type { SubjectKind } from '../../../ground/vocabulary.js';
import { slotMinutes, type Velocity, type Window, windowMinutes } from './counts.js';

const slotMs = slotMinutes * minuteMs;

/** Returns the start of the slot that a time is in. */
export function slotOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / slotMs) * slotMs);
}

/** Returns the start of a window: of the slot or, for the day, of the hour that it begins in. */
export function startOf(window: Window, now: Date): Date {
  const start = new Date(now.getTime() - windowMinutes[window] * minuteMs);
  return window === 'day' ? hourOf(start) : slotOf(start);
}

/** Rows of a period that can be merged. */
export interface Mergeable {
  readonly from: Date;
  readonly to: Date;
  /** Rows of a subject that are not worth merging. */
  readonly above: number;
}

/** Periods are merged again, in case the job was late or skipped a run. */
const repeats = 3;

/**
 * Returns the periods whose rows can be merged: the shards of slots in which no evaluation is counted any more, and the
 * slots of hours that only the window of a day overlaps.
 */
export function mergeablePeriods(now: Date): Mergeable[] {
  const lastSlot = slotOf(now).getTime() - slotMs;
  const slots = Array.from({ length: repeats }, (_, ago) => lastSlot - (ago + 1) * slotMs);
  const lastHour = hourOf(startOf('hour', now)).getTime() - hourMs;
  const isNewHour = now.getTime() - hourOf(now).getTime() < repeats * slotMs;
  return [
    ...slots.map((from) => ({ from: new Date(from), to: new Date(from + slotMs), above: 1 })),
    ...(isNewHour ? [{ from: new Date(lastHour), to: new Date(lastHour + hourMs), above: 3 }] : []),
  ];
}

function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / hourMs) * hourMs);
}

const maxShards = 16;
/** Number of evaluations per shard within the slots that `fiveMinutes` covers: about one per second. */
const evaluationsPerShard = 300;

/**
 * Returns the number of rows among which a subject's evaluations are divided, so that simultaneous evaluations of a busy
 * subject seldom wait for each other, and a quiet subject has only one row per slot.
 */
export function shardsFor(velocity: Velocity, kind: SubjectKind): number {
  const recent = velocity[kind]?.fiveMinutes.evaluations ?? 0;
  return Math.min(maxShards, 1 + Math.floor(recent / evaluationsPerShard));
}
