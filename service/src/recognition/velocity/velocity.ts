import type { CountsLookup, CountsRow, SubjectLists } from './queries.js';
import type { CountedSubject, Subject, Velocity } from './rules/counts.js';
import type { Counted } from './rules/pending-counts.js';
import { slotOf, windowStarts } from './rules/slots.js';
import { toSubjectCounts } from './rules/windows.js';
import type { Subjects } from './subjects.js';

function listsOf(subjects: readonly Subject[]): SubjectLists {
  return { kinds: subjects.map(({ kind }) => kind), subjects: subjects.map(({ key }) => key) };
}

/** Returns the values that `selectCounts` needs to read the counts of an evaluation's subjects. */
export function countsLookup({ subjects }: Subjects, worldId: string, now: Date): CountsLookup {
  return {
    worldId,
    ...listsOf(subjects),
    ...windowStarts(now),
  };
}

/** Returns the counts of an evaluation's subjects from the rows that were read. */
export function velocityOf({ subjects }: Subjects, rows: readonly CountsRow[]): Velocity {
  return Object.fromEntries(
    subjects.map(({ kind }) => [kind, toSubjectCounts(rows.filter((row) => row.kind === kind))]),
  );
}

/** What happened in an evaluation that is counted. */
export interface Attempt {
  readonly hasFailed: boolean;
  readonly action: string;
  /** Counters that rules name. */
  readonly counters: readonly CountedSubject[];
}

/** Returns what is counted of an evaluation. */
export function countedAt(
  now: Date,
  { subjects, ...cells }: Subjects,
  { counters, hasFailed, action }: Attempt,
): Counted {
  const all = counters.length === 0 ? subjects : [...subjects, ...counters];
  return { ...cells, subjects: all, slot: slotOf(now), hasFailed, isSignup: action === 'signup' && !hasFailed };
}
