import type { Scope } from '../../resources/service.js';
import { lockBaseline, saveBaseline } from './baseline-queries.js';
import { type Baseline, isSettled, observeFailure, type StrangeFailure } from './rules/baseline.js';

/**
 * Adds a strange failure to the project's baseline. Ordinary evaluations do not touch its row, and neither do most
 * failures of a campaign that was noticed.
 *
 * @param known The baseline as it was read for the verdict.
 */
export async function recordStrangeFailure(
  scope: Scope,
  failure: StrangeFailure,
  known: Baseline | undefined,
): Promise<void> {
  const { db, caller } = scope;
  const now = scope.now();
  if (known && isSettled(known, failure, now)) return;
  const before = await lockBaseline(db, caller.worldId);
  if (before && isSettled(before, failure, now)) return;
  await saveBaseline(db, { worldId: caller.worldId, ...observeFailure(before, failure, now) });
}
