import { removeOldAudit } from '../audit/queries.js';
import { auditRetentionDays } from '../audit/rules/audit.js';
import { removeOldVisits } from '../challenge-page/visits-queries.js';
import { claimLifetimeMs } from '../claims/create.js';
import { removeClaimsBefore } from '../claims/queries.js';
import { removeOldAdminSessions } from '../dashboard/sign-in/admin-sessions-queries.js';
import { removeOldAdminLinks } from '../dashboard/sign-in/admins-queries.js';
import { forgottenAfterHours } from '../dashboard/sign-in/lock-out-rules.js';
import { removeOldFailures } from '../dashboard/sign-in/sign-in-failures-queries.js';
import { createPartitions, dropPartitions, startOfMonth } from '../db/partitions.js';
import { partitionedTables } from '../db/schema/index.js';
import { vacuumEmbedded } from '../db/vacuum.js';
import { removeOldActivity } from '../evaluation/queries/activity.js';
import { firstIdAt } from '../ids.js';
import { removeOldSigningKeys } from '../projects/queries/signing-keys.js';
import { removeUnusedLookupKeys } from '../secrets/queries/key-ring.js';
import type { Service } from '../service.js';
import {
  removeDeliveriesBefore,
  removeLooseMarks,
  removeOldAddresses,
  removeOldAttempts,
  removeOldChallenges,
  removeOldCounters,
  removeOldEvaluations,
  removeOldEvents,
  removeOldIdempotency,
  removeOverNonces,
  removeUnusedVariants,
} from './retention-queries.js';
import { readWorlds, type World } from './worlds.js';

const batchSize = 500;
const dayMs = 86_400_000;
/** Longer than the longest window that anything is counted in. */
const counterDays = 2;
const idempotencyDays = 1;
/** How long it is shown how the delivery of webhooks went. */
const attemptDays = 30;
/** After their end, since the clocks of processes differ. */
const nonceDays = 1 / 24;

/**
 * Removes what has been kept long enough: evaluations, closed challenges, events, addresses and unused fingerprints after
 * the project's `retention_days`, answers kept for idempotency after a day, attempts to deliver webhooks after 30,
 * entries of the audit log after 400, look-up keys of retired master secrets once nothing needs them, counters, spent
 * nonces, visits to the challenge page and sessions of the dashboard when they are over. In batches, so
 * that nobody waits long for a row; any number of workers can do this at once.
 */
export async function removeOldRows(service: Service): Promise<void> {
  const { db, vault, now } = service;
  const at = now();
  await createPartitions(db, at);
  const daysAgo = (days: number) => new Date(at.getTime() - days * dayMs);
  await untilNone((limit) => removeOldAdminSessions(db, { before: at, limit }));
  await untilNone((limit) => removeOldFailures(db, { before: daysAgo(forgottenAfterHours / 24), limit }));
  await removeOldAdminLinks(db, at);
  await removeOldSigningKeys(db, at);
  await untilNone((limit) => removeOldAudit(db, { before: daysAgo(auditRetentionDays), limit }));
  const worlds = await readWorlds(db);
  const longest = Math.max(0, ...worlds.map(({ settings }) => settings.retention_days));
  await removeOldPartitions(service, worlds, daysAgo(longest));
  for (const { worldId, settings } of worlds) {
    await untilNone((limit) => removeOldCounters(db, worldId, { before: daysAgo(counterDays), limit }));
    await untilNone((limit) => removeOldIdempotency(db, worldId, { before: daysAgo(idempotencyDays), limit }));
    await untilNone((limit) => removeOverNonces(db, worldId, { before: daysAgo(nonceDays), limit }));
    await untilNone((limit) => removeOldVisits(db, worldId, { before: daysAgo(nonceDays), limit }));
    await untilNone((limit) => removeOldAttempts(db, worldId, { before: daysAgo(attemptDays), limit }));
    const before = daysAgo(settings.retention_days);
    await untilNone((limit) => removeOldEvaluations(db, worldId, { before, limit }));
    await untilNone((limit) => removeOldChallenges(db, worldId, { before, limit }));
    await untilNone((limit) => removeOldEvents(db, worldId, { before, limit }));
    await untilNone((limit) => removeOldAddresses(db, worldId, { before, limit, now: at }));
    await untilNone((limit) => removeUnusedVariants(db, worldId, { before, limit }));
    await removeLooseMarks(db, worldId);
    await removeOldActivity(db, worldId, before);
  }
  // Nothing that is not a mark is kept as long as counters are.
  await removeUnusedLookupKeys(db, { before: daysAgo(counterDays), except: vault.keyIds });
  await vacuumEmbedded(db);
}

/** Drops the months of evaluations and events that no world keeps any longer. */
async function removeOldPartitions({ db }: Service, worlds: readonly World[], before: Date): Promise<void> {
  for (const table of partitionedTables) await dropPartitions(db, table, before);
  // Before the start of its month there are only events that the default partition holds, and that are too old as well.
  const beforeId = firstIdAt(startOfMonth(before));
  for (const { worldId } of worlds) {
    await untilNone((limit) => removeDeliveriesBefore(db, worldId, { beforeId, limit }));
  }
}

/** Removes the claims that nobody took up within a day. */
export async function removeOldClaims({ db, now }: Service): Promise<void> {
  const before = firstIdAt(new Date(now().getTime() - claimLifetimeMs));
  for (const { worldId } of await readWorlds(db)) {
    await untilNone((limit) => removeClaimsBefore(db, worldId, { before, limit }));
  }
}

async function untilNone(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(batchSize)) === batchSize);
}
