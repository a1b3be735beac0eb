import { hourMs, minuteMs } from '../../../ground/time.js';
import { slotMinutes, type Window, windowMinutes } from './counts.js';

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

/** Returns the start of each window. */
export function windowStarts(now: Date): Readonly<Record<Window, Date>> {
  return { fiveMinutes: startOf('fiveMinutes', now), hour: startOf('hour', now), day: startOf('day', now) };
}

/** Rows of a period that can be merged. */
export interface Mergeable {
  readonly from: Date;
  readonly to: Date;
}

/** An hour is merged again, in case the job was late or skipped a run. */
const repeats = 3;

/** Returns the hour whose slots can be merged, because only the window of a day overlaps it; undefined for most of an hour. */
export function mergeableHour(now: Date): Mergeable | undefined {
  if (now.getTime() - hourOf(now).getTime() >= repeats * slotMs) return undefined;
  const from = hourOf(startOf('hour', now)).getTime() - hourMs;
  return { from: new Date(from), to: new Date(from + hourMs) };
}

function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / hourMs) * hourMs);
}
