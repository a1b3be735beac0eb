import { recordStrangeFailure } from '../recognition/velocity/baseline.js';
import { findBaseline } from '../recognition/velocity/baseline-queries.js';
import type { Counted } from '../recognition/velocity/queries.js';
import { type Baseline, isCampaign } from '../recognition/velocity/rules/baseline.js';
import { networkHash, type Subjects } from '../recognition/velocity/subjects.js';
import { countedBy } from '../recognition/velocity/velocity.js';
import type { Database, Scope } from '../resources/service.js';
import type { CampaignFacts, Facts } from './rules/facts.js';
import { isStrange } from './rules/strange.js';

/** Reads the project's baseline of strange failures, for an attempt that may be part of a campaign. */
export async function baselineFor(
  { db, caller }: Scope<Database>,
  facts: Pick<Facts, 'user' | 'device' | 'address'>,
): Promise<Baseline | undefined> {
  return isStrange(facts) ? findBaseline(db, caller.worldId) : undefined;
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
  readonly baseline: Baseline | undefined;
}

/** Returns the values with which a judged evaluation is counted. */
export function countsOf(scope: Scope, { facts, subjects }: Countable): Counted {
  return countedBy(scope, subjects, facts.velocity, { hasFailed: facts.outcome === 'failed', action: facts.action });
}

/** Adds a strange failure to the project's baseline. */
export async function countStrangeFailure(scope: Scope, { facts, subjects, baseline }: Countable): Promise<void> {
  // Someone who tries again and again counts once an hour.
  const isFirst = facts.velocity.user?.hour.failures === 0;
  if (facts.outcome !== 'failed' || !isFirst || !isStrange(facts)) return;
  await recordStrangeFailure(scope, { userExists: facts.user.exists, network: networkHash(subjects) }, baseline);
}
