import { removeOldAudit } from '../audit/queries.js';
import { auditRetentionDays } from '../audit/rules/audit.js';
import { removeOldVisits } from '../challenge-page/visits-queries.js';
import { claimLifetimeMs } from '../claims/create.js';
import { removeClaimsBefore } from '../claims/queries.js';
import { removeOldAdminSessions } from '../dashboard/sign-in/admin-sessions-queries.js';
import { removeOldAdminLinks } from '../dashboard/sign-in/admins-queries.js';
import { forgottenAfterHours } from '../dashboard/sign-in/lock-out-rules.js';
import { removeOldFailures } from '../dashboard/sign-in/sign-in-failures-queries.js';
import { vacuumEmbedded } from '../db/vacuum.js';
import { removeOldActivity } from '../evaluation/queries/activity.js';
import { firstIdAt } from '../ids.js';
import { removeOldSigningKeys } from '../projects/queries/signing-keys.js';
import { removeUnusedLookupKeys } from '../secrets/queries/key-ring.js';
import type { Service } from '../service.js';
import { dayMs } from '../time.js';
import {
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
import { readWorlds } from './worlds.js';

const batchSize = 500;
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
export async function removeOldRows({ db, vault, now }: Service): Promise<void> {
  const at = now();
  const daysAgo = (days: number) => new Date(at.getTime() - days * dayMs);
  await untilNone((limit) => removeOldCounters(db, { before: daysAgo(counterDays), limit }));
  await untilNone((limit) => removeOldIdempotency(db, { before: daysAgo(idempotencyDays), limit }));
  await untilNone((limit) => removeOverNonces(db, { before: daysAgo(nonceDays), limit }));
  await untilNone((limit) => removeOldVisits(db, { before: daysAgo(nonceDays), limit }));
  await untilNone((limit) => removeOldAdminSessions(db, { before: at, limit }));
  await untilNone((limit) => removeOldFailures(db, { before: daysAgo(forgottenAfterHours / 24), limit }));
  await removeOldAdminLinks(db, at);
  await removeOldSigningKeys(db, at);
  await untilNone((limit) => removeOldAudit(db, { before: daysAgo(auditRetentionDays), limit }));
  await untilNone((limit) => removeOldAttempts(db, { before: daysAgo(attemptDays), limit }));
  for (const { worldId, settings } of await readWorlds(db)) {
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
