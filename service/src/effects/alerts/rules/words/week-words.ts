import type { Reason, Verdict } from 'whorl/wire';
import type { AlertCondition } from '../../../attention/rules/alert-condition.js';
import type { WeekFigures, WeekSummary } from '../week.js';

/** Texts of the weekly summary in one language. */
export interface WeekWords {
  /** Language tag for numbers and dates (BCP 47). */
  readonly locale: string;
  subject(project: string): string;
  /** Introduces figures, each followed by that of the week before in brackets. */
  intro(project: string, from: string, to: string): string;
  readonly evaluations: string;
  readonly verdicts: Readonly<Record<Verdict, string>>;
  readonly failedAttempts: string;
  readonly challenges: string;
  readonly completed: string;
  readonly leadingReasons: string;
  nameOf(reason: Reason): string;
  readonly waitingReviews: string;
  over(count: string): string;
  readonly attention: string;
  readonly noAttention: string;
}

/** Returns the days of a summary in words. */
export function daysOf({ locale }: WeekWords, { from, to }: WeekSummary): readonly [from: string, to: string] {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return [format.format(new Date(from)), format.format(new Date(to))];
}

/** Returns a summary as lines of text. `describe` returns what needs attention in the same language. */
export function weekLines(
  words: WeekWords,
  { now, before, reasons, conditions }: WeekSummary,
  describe: (condition: AlertCondition) => string,
): string[] {
  const number = (value: number) => value.toLocaleString(words.locale);
  const share = (value: number | undefined) =>
    value === undefined
      ? '–'
      : value.toLocaleString(words.locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const compared = (name: string, write: (week: WeekFigures) => string) => `${name}: ${write(now)} (${write(before)})`;
  const leading = reasons.map((one) => `${words.nameOf(one.reason)} ${number(one.count)} (${number(one.before)})`);
  const others = conditions.filter(({ kind }) => kind !== 'waiting_reviews');
  return [
    compared(words.evaluations, ({ evaluations }) => number(evaluations)),
    ...now.verdicts
      .filter(({ verdict, count }) => count > 0 || countOf(before, verdict) > 0)
      .map(({ verdict }) => compared(words.verdicts[verdict], (week) => share(shareOf(week, verdict)))),
    compared(words.failedAttempts, ({ failedAttempts }) => number(failedAttempts)),
    compared(words.challenges, ({ challenges }) => number(challenges)),
    compared(words.completed, ({ completedShare }) => share(completedShare)),
    ...(leading.length > 0 ? [`${words.leadingReasons}: ${leading.join(', ')}`] : []),
    `${words.waitingReviews}: ${waiting(words, conditions, number)}`,
    ...(others.length > 0 ? [words.attention, ...others.map(describe)] : [words.noAttention]),
  ];
}

function countOf({ verdicts }: WeekFigures, verdict: Verdict): number {
  return verdicts.find((one) => one.verdict === verdict)?.count ?? 0;
}

function shareOf(week: WeekFigures, verdict: Verdict): number | undefined {
  return week.evaluations === 0 ? undefined : countOf(week, verdict) / week.evaluations;
}

function waiting(words: WeekWords, conditions: readonly AlertCondition[], number: (value: number) => string): string {
  const condition = conditions.find((one) => one.kind === 'waiting_reviews');
  if (!condition) return number(0);
  return condition.areMore ? words.over(number(condition.evaluations)) : number(condition.evaluations);
}
