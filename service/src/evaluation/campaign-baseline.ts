import { recordUnfamiliarFailure } from '../recognition/velocity/baseline.js';
import { findBaseline } from '../recognition/velocity/baseline-queries.js';
import { type Baseline, isCampaign } from '../recognition/velocity/rules/baseline.js';
import type { CountedSubject } from '../recognition/velocity/rules/counts.js';
import type { Counted } from '../recognition/velocity/rules/pending-counts.js';
import { networkHash, type Subjects } from '../recognition/velocity/subjects.js';
import { countedAt } from '../recognition/velocity/velocity.js';
import type { Database, UnitOfWork } from '../resources/service.js';
import type { CampaignFacts, Facts } from './rules/facts.js';
import { isUnfamiliar } from './rules/unfamiliar.js';

/** Reads the project's baseline of unfamiliar failures, for an attempt that may be part of a campaign. */
export async function baselineFor(
  { db, caller }: UnitOfWork<Database>,
  facts: Pick<Facts, 'user' | 'device' | 'address'>,
): Promise<Baseline | undefined> {
  return isUnfamiliar(facts) ? findBaseline(db, caller.worldId) : undefined;
}

/** Returns the campaign that a baseline shows; undefined if it shows none. */
export function campaignOf(baseline: Baseline | undefined, now: Date): CampaignFacts | undefined {
  if (!baseline || !isCampaign(baseline, now)) return undefined;
  return { failures: baseline.failures, since: baseline.risingSince, usualPerHour: baseline.perHour };
}

/** Judged evaluation, as needed for counting it. */
interface Countable {
  readonly facts: Facts;
  readonly subjects: Subjects;
  readonly counters: readonly CountedSubject[];
  readonly baseline: Baseline | undefined;
}

/** Returns what is counted of a judged evaluation. */
export function countsOf({ now }: UnitOfWork, { facts, subjects, counters }: Countable): Counted {
  return countedAt(now(), subjects, { hasFailed: facts.outcome === 'failed', action: facts.action, counters });
}

/** Adds an unfamiliar failure to the project's baseline. */
export async function countUnfamiliarFailure(
  work: UnitOfWork,
  { facts, subjects, baseline }: Countable,
): Promise<void> {
  // Someone who tries again and again counts once an hour.
  const isFirst = facts.velocity.user?.hour.failures === 0;
  if (facts.outcome !== 'failed' || !isFirst || !isUnfamiliar(facts)) return;
  await recordUnfamiliarFailure(work, { userExists: facts.user.exists, network: networkHash(subjects) }, baseline);
}
