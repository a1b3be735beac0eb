import type { UnitOfWork } from '../../resources/service.js';
import { lockBaseline, saveBaseline } from './baseline-queries.js';
import { type Baseline, isCountedEnough, observeFailure, type UnfamiliarFailure } from './rules/baseline.js';

/**
 * Adds an unfamiliar failure to the project's baseline. Ordinary evaluations do not touch its row, and neither do most
 * failures of a campaign that was noticed.
 *
 * @param known The baseline as it was read for the verdict.
 */
export async function recordUnfamiliarFailure(
  work: UnitOfWork,
  failure: UnfamiliarFailure,
  known: Baseline | undefined,
): Promise<void> {
  const { db, caller } = work;
  const now = work.now();
  if (known && isCountedEnough(known, failure, now)) return;
  const before = await lockBaseline(db, caller.worldId);
  if (before && isCountedEnough(before, failure, now)) return;
  await saveBaseline(db, { worldId: caller.worldId, ...observeFailure(before, failure, now) });
}
