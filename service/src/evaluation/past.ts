import { pendingOf } from '../recognition/velocity/count.js';
import type { Velocity } from '../recognition/velocity/rules/counts.js';
import type { Subjects } from '../recognition/velocity/subjects.js';
import { countsLookup, velocityOf } from '../recognition/velocity/velocity.js';
import type { Database, UnitOfWork } from '../resources/service.js';
import { findPast, type HistoryLookup } from './queries/past-evaluations.js';
import type { Access } from './rules/history.js';
import type { ValueCounts } from './rules/risk/context.js';

/** What an evaluation is compared with. */
export interface Past {
  /**
   * The user's newest accesses that were allowed, or whose challenge was completed, newest first and at most 25.
   * Accesses from devices that were blocked later, or that were labelled as fraud, are left out. So are accesses of more
   * than three months ago, if there are enough newer ones.
   */
  readonly history: readonly Access[];
  readonly velocity: Velocity;
  readonly counts: Omit<ValueCounts, 'devices'>;
}

/** Evaluation whose past is read. */
interface Lookup extends Omit<HistoryLookup, 'worldId'> {
  readonly subjects: Subjects;
  readonly userSince: Date | null;
}

/** Reads the past of an evaluation's user, device and address. */
export async function loadPast(
  work: UnitOfWork<Database>,
  { subjects, userSince, userId, network, identityId }: Lookup,
): Promise<Past> {
  const now = work.now();
  const { worldId } = work.caller;
  const { process, rows } = pendingOf(work, worldId, subjects.subjects);
  const counted = { ...countsLookup(subjects, worldId, now), process, pending: JSON.stringify(rows) };
  const options = { now, userSince, hasPending: rows.length > 0 };
  const { history, velocity, ...counts } = await findPast(
    work.db,
    { userId, network, identityId, ...counted },
    options,
  );
  return { history, velocity: velocityOf(subjects, velocity), counts };
}
