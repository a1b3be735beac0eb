import type { Database, Scope } from '../service.js';
import { countEvaluation, selectCounts } from './queries.js';
import type { Velocity } from './rules/counts.js';
import { shardsFor, slotOf, startOf } from './rules/slots.js';
import { toSubjectCounts } from './rules/windows.js';
import type { Subjects } from './subjects.js';

/** Reads the counts of an evaluation's subjects, in one statement. */
export async function loadVelocity(scope: Scope<Database>, { subjects }: Subjects): Promise<Velocity> {
  const { db, caller } = scope;
  const now = scope.now();
  const kinds = subjects.map(({ kind }) => kind);
  const rows = await selectCounts(db, {
    worldId: caller.worldId,
    kinds,
    subjects: subjects.map(({ key }) => key),
    fiveMinutes: startOf('fiveMinutes', now),
    hour: startOf('hour', now),
    day: startOf('day', now),
  });
  return Object.fromEntries(kinds.map((kind) => [kind, toSubjectCounts(rows.filter((row) => row.kind === kind))]));
}

/** What happened in an evaluation that is counted. */
export interface Attempt {
  readonly hasFailed: boolean;
  readonly action: string;
}

/**
 * Counts an evaluation. The last statement of its transaction, because its rows are shared with other users.
 *
 * @param velocity Counts before this evaluation, which determine the number of shards.
 */
export async function recordVelocity(
  scope: Scope,
  { subjects, ...cells }: Subjects,
  velocity: Velocity,
  { hasFailed, action }: Attempt,
): Promise<void> {
  await countEvaluation(scope.db, {
    worldId: scope.caller.worldId,
    slot: slotOf(scope.now()),
    kinds: subjects.map(({ kind }) => kind),
    subjects: subjects.map(({ key }) => key),
    shards: subjects.map(({ kind }) => shardsFor(velocity, kind)),
    failures: hasFailed ? 1 : 0,
    signups: action === 'signup' && !hasFailed ? 1 : 0,
    ...cells,
  });
}
