import { dayMs } from '../../time.js';

/** Signals on so many days out of so many are reported to the project's administrator, once in that time. */
export const sharingReport = { days: 3, outOfDays: 7 } as const;

/** From when on signals count. */
export function signalsSince(now: Date): Date {
  return new Date(now.getTime() - sharingReport.outOfDays * dayMs);
}

/** Whether these signals are to be reported: they fell on enough different days (UTC). */
export function isReportDue(signals: readonly Date[]): boolean {
  return new Set(signals.map((at) => at.toISOString().slice(0, 10))).size >= sharingReport.days;
}
