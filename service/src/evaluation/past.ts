import type { Velocity } from '../recognition/velocity/rules/counts.js';
import type { Subjects } from '../recognition/velocity/subjects.js';
import { countsQuestion, velocityOf } from '../recognition/velocity/velocity.js';
import type { Database, Scope } from '../resources/service.js';
import { findPast, type HistoryQuestion } from './queries/past.js';
import type { Access } from './rules/history.js';
import type { ValueCounts } from './rules/risk/context.js';

/** What an evaluation is compared with. */
export interface Past {
  /**
   * The user's newest accesses that were allowed, or whose challenge was completed, newest first and at most 25. Those
   * from devices that were blocked later, or that were labelled as fraud, are left out. If there are enough newer ones,
   * those of more than three months ago are left out too.
   */
  readonly history: readonly Access[];
  readonly velocity: Velocity;
  readonly counts: Omit<ValueCounts, 'devices'>;
}

/** Evaluation whose past is read. */
interface Question extends Omit<HistoryQuestion, 'worldId'> {
  readonly subjects: Subjects;
  readonly userSince: Date | null;
}

/** Reads the past of an evaluation's user, device and address. */
export async function loadPast(
  scope: Scope<Database>,
  { subjects, userSince, userId, network, identityId }: Question,
): Promise<Past> {
  const now = scope.now();
  const values = { userId, network, identityId, ...countsQuestion(subjects, scope.caller.worldId, now) };
  const { history, velocity, ...counts } = await findPast(scope.db, values, { now, userSince });
  return { history, velocity: velocityOf(subjects, velocity), counts };
}
