import { dayMs } from '../../../ground/time.js';

/** Age in days above which databases and lists count as old: networks move to other owners and places. */
export const oldDays = 60;

interface Dated {
  readonly label: string;
  readonly date: Date;
  readonly isFallback?: boolean;
}

/** Returns the age of a database or list in days. */
export function daysOld({ date }: Pick<Dated, 'date'>, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - date.getTime()) / dayMs));
}

/** Returns the databases and lists that are old. Those that are only asked last do not count. */
export function oldSources<Source extends Dated>(sources: readonly Source[], now: Date): Source[] {
  return sources.filter((source) => !source.isFallback && daysOld(source, now) > oldDays);
}

/** Returns the age in seconds of each label, for metrics. Of several files with the same label, the oldest counts. */
export function agesOf(sources: readonly Dated[], now: Date): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { label, date, isFallback } of sources) {
    if (isFallback) continue;
    ages.set(label, Math.max(ages.get(label) ?? 0, (now.getTime() - date.getTime()) / 1000));
  }
  return ages;
}
