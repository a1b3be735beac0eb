import type { Database, Scope } from '../service.js';
import { recordStrangeFailure } from '../velocity/baseline.js';
import { findBaseline } from '../velocity/baseline-queries.js';
import { type Baseline, isCampaign } from '../velocity/rules/baseline.js';
import type { Subjects } from '../velocity/subjects.js';
import { recordVelocity } from '../velocity/velocity.js';
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

/** Counts a judged evaluation. Its last statements, because other users' evaluations wait for the same rows. */
export async function countJudged(scope: Scope, { facts, subjects, baseline }: Countable): Promise<void> {
  const hasFailed = facts.outcome === 'failed';
  await recordVelocity(scope, subjects, facts.velocity, { hasFailed, action: facts.action });
  // Someone who tries again and again counts once an hour.
  const isFirst = facts.velocity.user?.hour.failures === 0;
  if (hasFailed && isFirst && isStrange(facts)) await recordStrangeFailure(scope, baseline);
}
