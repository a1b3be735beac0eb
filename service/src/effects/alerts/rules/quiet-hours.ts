import type { Settings } from '../../../resources/projects/rules/settings.js';

/** Returns whether a time is in the quiet hours of a project. They may include midnight. */
export function isQuiet({ from, until, time_zone: timeZone }: Settings['alert_quiet_hours'], at: Date): boolean {
  if (from === null || until === null) return false;
  const text = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(at);
  const hour = Number(text);
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
}
