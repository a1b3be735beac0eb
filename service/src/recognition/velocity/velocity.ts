import type { UnitOfWork } from '../../resources/service.js';
import type { Counted, CountsLookup, CountsRow, SubjectLists } from './queries.js';
import type { Velocity } from './rules/counts.js';
import { shardsFor, slotOf, startOf } from './rules/slots.js';
import { toSubjectCounts } from './rules/windows.js';
import type { Subject, Subjects } from './subjects.js';

function listsOf(subjects: readonly Subject[]): SubjectLists {
  return { kinds: subjects.map(({ kind }) => kind), subjects: subjects.map(({ key }) => key) };
}

/** Returns the values that `selectCounts` needs to read the counts of an evaluation's subjects. */
export function countsLookup({ subjects }: Subjects, worldId: string, now: Date): CountsLookup {
  return {
    worldId,
    ...listsOf(subjects),
    fiveMinutes: startOf('fiveMinutes', now),
    hour: startOf('hour', now),
    day: startOf('day', now),
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
}

/**
 * Returns the values that `countEvaluation` needs to count an evaluation.
 *
 * @param velocity Counts before this evaluation, which determine the number of shards.
 */
export function countedBy(
  work: UnitOfWork,
  { subjects, ...cells }: Subjects,
  velocity: Velocity,
  { hasFailed, action }: Attempt,
): Counted {
  return {
    worldId: work.caller.worldId,
    slot: slotOf(work.now()),
    ...listsOf(subjects),
    shards: subjects.map(({ kind }) => shardsFor(velocity, kind)),
    failures: hasFailed ? 1 : 0,
    signups: action === 'signup' && !hasFailed ? 1 : 0,
    ...cells,
  };
}
