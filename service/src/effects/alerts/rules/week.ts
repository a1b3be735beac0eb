import type { Reason, Verdict } from 'whorl/wire';
import { dayMs, daySeconds, hourMs } from '../../../ground/time.js';
import type { Overview, Period } from '../../activity/rules.js';
import type { AlertCondition } from '../../attention/rules/alert-condition.js';

/** Time on Mondays, in UTC, from which the summary of the week before is sent. */
const sendHour = 6;
/** 1 January 1970 was a Thursday, the fourth day of a week that began on a Monday. */
const daysBefore1970 = 3;
const weekMs = 7 * dayMs;
const maxReasons = 5;

/** A week that begins on a Monday, in UTC. */
export interface Week {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** Returns the week to summarise at a time. Undefined on other days than Mondays, from 6:00 to the next day at 6:00 in UTC. */
export function dueWeek(now: Date): Week | undefined {
  const day = Math.floor(now.getTime() / dayMs);
  const monday = (day - ((day + daysBefore1970) % 7)) * dayMs;
  const since = now.getTime() - monday - sendHour * hourMs;
  return since >= 0 && since < dayMs ? { from: new Date(monday - weekMs), to: new Date(monday) } : undefined;
}

/** Returns the week before another. */
export function weekBefore({ from }: Week): Week {
  return { from: new Date(from.getTime() - weekMs), to: from };
}

/** Returns a week as the period of an overview. */
export function periodOfWeek({ from }: Week): Period {
  const others = Array.from({ length: 6 }, (_, at) => new Date(from.getTime() + (at + 1) * dayMs));
  return { name: '7d', columnSeconds: daySeconds, starts: [from, ...others] };
}

/** What happened in a week. */
export interface WeekFigures {
  readonly evaluations: number;
  readonly verdicts: readonly { readonly verdict: Verdict; readonly count: number }[];
  readonly failedAttempts: number;
  readonly challenges: number;
  /** Share of closed challenges that were completed, from 0 to 1. Absent if none is closed. */
  readonly completedShare?: number;
}

/** Summary of a week, before it is written in a language. */
export interface WeekSummary {
  readonly about: 'week';
  /** First and last day, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly now: WeekFigures;
  readonly before: WeekFigures;
  /** The most frequent reasons, each with its number in the week before. */
  readonly reasons: readonly { readonly reason: Reason; readonly count: number; readonly before: number }[];
  /** What needs attention when the summary is made. */
  readonly conditions: readonly AlertCondition[];
}

/** Summarises a week. Returns undefined if it has no evaluation. */
export function summaryOf(
  week: Week,
  { now, before }: { readonly now: Overview; readonly before: Overview },
  conditions: readonly AlertCondition[],
): WeekSummary | undefined {
  if (now.evaluations + now.failedAttempts === 0) return undefined;
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return {
    about: 'week',
    from: day(week.from),
    to: day(new Date(week.to.getTime() - dayMs)),
    now: figuresOf(now),
    before: figuresOf(before),
    reasons: now.reasons.slice(0, maxReasons).map(({ label, total }) => ({
      reason: label,
      count: total,
      before: before.reasons.find((one) => one.label === label)?.total ?? 0,
    })),
    conditions,
  };
}

function figuresOf({ evaluations, verdicts, failedAttempts, challenges, completedShare }: Overview): WeekFigures {
  return {
    evaluations,
    failedAttempts,
    challenges,
    verdicts: verdicts.map(({ label, total }) => ({ verdict: label, count: total })),
    ...(completedShare !== undefined && { completedShare }),
  };
}
