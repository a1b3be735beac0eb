import { dayMs } from '../../../ground/time.js';

/**
 * An account is reported to the project's administrator after signals on `days` days out of `outOfDays`, at most once
 * in that period.
 */
export const sharingReport = { days: 3, outOfDays: 7 } as const;

/** Returns the time from which signals are counted. */
export function signalsSince(now: Date): Date {
  return new Date(now.getTime() - sharingReport.outOfDays * dayMs);
}

/** Returns whether the signals fall on enough different days (UTC) for a report. */
export function isReportDue(signals: readonly Date[]): boolean {
  return new Set(signals.map((at) => at.toISOString().slice(0, 10))).size >= sharingReport.days;
}
