import { claimLifetimeMs } from '../../evaluation/claims/create.js';
import { removeClaimsBefore } from '../../evaluation/claims/queries.js';
import { dropPartitions, startOfMonth } from '../../ground/db/partitions.js';
import { partitionedTables } from '../../ground/db/schema/tables.js';
import { vacuumEmbedded } from '../../ground/db/vacuum.js';
import { firstIdAt } from '../../ground/ids.js';
import { dayMs } from '../../ground/time.js';
import { removeOldAdminSessions } from '../../resources/admins/admin-sessions-queries.js';
import { removeOldAdminLinks } from '../../resources/admins/admins-queries.js';
import { forgottenAfterHours } from '../../resources/admins/rules.js';
import { removeOldFailures } from '../../resources/admins/sign-in-failures-queries.js';
import { removeOldAudit } from '../../resources/audit/audit.js';
import { auditRetentionDays } from '../../resources/audit/rules/audit.js';
import { readHead } from '../../resources/audit/verify.js';
import { removeOldVisits } from '../../resources/challenges/visits-queries.js';
import { removeFormerEmails, removeOldNotices } from '../../resources/notices/queries.js';
import { noticeLimits } from '../../resources/notices/rules.js';
import { removeOldSigningKeys } from '../../resources/projects/queries/signing-keys.js';
import { readWorlds, type World } from '../../resources/projects/worlds.js';
import type { Service } from '../../resources/service.js';
import { removeOldActivity } from '../activity/queries.js';
import { removeOldMessages } from '../alerts/queries.js';
import { searches } from '../rule-finder/queries.js';
import { replays } from '../rule-replay/queries.js';
import { removeUnusedLookupKeys } from '../secrets/queries/key-ring.js';
import { repeatUntilDone } from './repeat.js';
import {
  removeDeliveriesBefore,
  removeExpiredNonces,
  removeLooseMarks,
  removeOldAddresses,
  removeOldAttempts,
  removeOldBulkActions,
  removeOldChallenges,
  removeOldCounters,
  removeOldEvaluations,
  removeOldEvents,
  removeOldIdempotency,
  removeOldReviews,
  removeOldUnknownFailures,
  removeUnusedVariants,
} from './retention-queries.js';

/** Longer than the longest window of any counter. */
const counterDays = 2;
const idempotencyDays = 1;
/** Longer than they can be undone. */
const bulkActionDays = 1;
/** Retention of failed attempts for names that no user had: anyone can cause them. */
const unknownFailureDays = 7;
/** Retention of replays of rules, and of searches for rules. */
const replayKeptDays = 7;
/** Retention of webhook delivery attempts. */
const attemptDays = 30;
/** Retention of alerts that could not be sent. */
const alertMessageDays = 7;
/** Kept after expiry, because clocks differ between processes. */
const nonceDays = 1 / 24;

/**
 * Deletes rows after their retention period: evaluations with their reviews, closed challenges, events, addresses and
 * unused fingerprints after the project's `retention_days`; failed attempts for names that no user had after 7 days;
 * responses kept for idempotency, and actions on many rows, after 1 day; messages about devices, replays of rules,
 * searches for rules and alerts that could not be sent after 7 days; webhook delivery attempts after 30 days; entries
 * of the audit log after 400 days; look-up keys of retired master secrets once nothing needs them; counters, used
 * nonces, visits to the challenge page and dashboard sessions once they have expired. Deletes in batches, so that locks
 * are short; any number of workers can do this at once.
 */
export async function removeOldRows(service: Service): Promise<void> {
  const { db, vault, now } = service;
  const at = now();
  const daysAgo = (days: number) => new Date(at.getTime() - days * dayMs);
  await repeatUntilDone((limit) => removeOldAdminSessions(db, { before: at, limit }));
  await repeatUntilDone((limit) => removeOldFailures(db, { before: daysAgo(forgottenAfterHours / 24), limit }));
  await removeOldAdminLinks(db, at);
  await removeOldSigningKeys(db, at);
  await repeatUntilDone((limit) => removeOldAudit(service, { before: daysAgo(auditRetentionDays), limit }));
  const worlds = await readWorlds(db);
  const longest = Math.max(0, ...worlds.map(({ settings }) => settings.retention_days));
  await removeOldPartitions(service, worlds, daysAgo(longest));
  for (const { worldId, settings } of worlds) {
    await repeatUntilDone((limit) => removeOldCounters(db, worldId, { before: daysAgo(counterDays), limit }));
    await repeatUntilDone((limit) => removeOldIdempotency(db, worldId, { before: daysAgo(idempotencyDays), limit }));
    await repeatUntilDone((limit) => removeOldBulkActions(db, worldId, { before: daysAgo(bulkActionDays), limit }));
    await repeatUntilDone((limit) => removeExpiredNonces(db, worldId, { before: daysAgo(nonceDays), limit }));
    await repeatUntilDone((limit) => removeOldVisits(db, worldId, { before: daysAgo(nonceDays), limit }));
    await repeatUntilDone((limit) => removeOldAttempts(db, worldId, { before: daysAgo(attemptDays), limit }));
    await repeatUntilDone((limit) => removeOldNotices(db, worldId, { before: daysAgo(noticeLimits.linkDays), limit }));
    await repeatUntilDone((limit) => removeFormerEmails(db, worldId, { before: at, limit }));
    await repeatUntilDone((limit) => replays.removeOld(db, worldId, { before: daysAgo(replayKeptDays), limit }));
    await repeatUntilDone((limit) => searches.removeOld(db, worldId, { before: daysAgo(replayKeptDays), limit }));
    const unknownBefore = daysAgo(unknownFailureDays);
    await repeatUntilDone((limit) => removeOldUnknownFailures(db, worldId, { before: unknownBefore, limit }));
    const before = daysAgo(settings.retention_days);
    const beforeId = firstIdAt(before);
    await repeatUntilDone((limit) => removeOldReviews(db, worldId, { beforeId, limit }));
    await repeatUntilDone((limit) => removeOldEvaluations(db, worldId, { before, limit }));
    await repeatUntilDone((limit) => removeOldChallenges(db, worldId, { before, limit }));
    await repeatUntilDone((limit) => removeOldEvents(db, worldId, { before, limit }));
    await repeatUntilDone((limit) => removeOldAddresses(db, worldId, { before, limit, now: at }));
    await repeatUntilDone((limit) => removeUnusedVariants(db, worldId, { before, limit }));
    await removeLooseMarks(db, worldId);
    await removeOldActivity(db, worldId, before);
    await removeOldMessages(db, worldId, daysAgo(alertMessageDays));
  }
  // Counters are the longest-lived hashes other than blind indexes of erased users.
  await removeUnusedLookupKeys(db, { before: daysAgo(counterDays), except: vault.keyIds });
  await vacuumEmbedded(db);
  const head = await readHead(service);
  // Logs are usually kept elsewhere, where somebody who can write to the database cannot change them.
  if (head) service.log.info({ head: `${head.seq}:${head.hash}` }, 'End of the audit log');
}

/** Drops the months of evaluations and events that are past the retention of every world. */
async function removeOldPartitions({ db }: Service, worlds: readonly World[], before: Date): Promise<void> {
  for (const table of partitionedTables) await dropPartitions(db, table, before);
  // Only the default partition can still hold events from before this month, and they are past their retention as well.
  const beforeId = firstIdAt(startOfMonth(before));
  for (const { worldId } of worlds) {
    await repeatUntilDone((limit) => removeDeliveriesBefore(db, worldId, { beforeId, limit }));
  }
}

/** Deletes claims that were not consumed within a day. */
export async function removeOldClaims({ db, now }: Service): Promise<void> {
  const before = firstIdAt(new Date(now().getTime() - claimLifetimeMs));
  for (const { worldId } of await readWorlds(db)) {
    await repeatUntilDone((limit) => removeClaimsBefore(db, worldId, { before, limit }));
  }
}
