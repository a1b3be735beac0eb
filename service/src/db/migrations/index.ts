import type { Migration } from 'kysely';
import * as first from './2026-11-21-first.js';
import * as sendingAndErasure from './2026-11-21-sending-and-erasure.js';
import * as sharedFingerprints from './2026-11-21-shared-fingerprints.js';
import * as splitsAndMerges from './2026-11-21-splits-and-merges.js';
import * as trustedKeys from './2026-11-21-trusted-keys.js';
import * as visitsOfChallenges from './2026-11-21-visits-of-challenges.js';
import * as webhooks from './2026-11-21-webhooks.js';
import * as whenDevicesEnded from './2026-11-21-when-devices-ended.js';
import * as withADashboard from './2026-11-21-with-a-dashboard.js';
import * as writtenChanges from './2026-11-21-written-changes.js';
import * as writtenDownActions from './2026-11-21-written-down-actions.js';
import * as auditLog from './2026-11-22-audit-log.js';
import * as boundAdminLinks from './2026-11-22-bound-admin-links.js';
import * as claims from './2026-11-22-claims.js';
import * as confirmedSessions from './2026-11-22-confirmed-sessions.js';
import * as forwarders from './2026-11-22-forwarders.js';
import * as jobs from './2026-11-22-jobs.js';
import * as keyRing from './2026-11-22-key-ring.js';
import * as signingKeys from './2026-11-22-signing-keys.js';
import * as unseenAddresses from './2026-11-22-unseen-addresses.js';

/** All migrations, by name; names sort in the order of time. Append only. */
export const migrations: Record<string, Migration> = {
  '2026-11-21-first': first,
  '2026-11-21-sending-and-erasure': sendingAndErasure,
  '2026-11-21-shared-fingerprints': sharedFingerprints,
  '2026-11-21-splits-and-merges': splitsAndMerges,
  '2026-11-21-trusted-keys': trustedKeys,
  '2026-11-21-visits-of-challenges': visitsOfChallenges,
  '2026-11-21-webhooks': webhooks,
  '2026-11-21-when-devices-ended': whenDevicesEnded,
  '2026-11-21-with-a-dashboard': withADashboard,
  '2026-11-21-written-changes': writtenChanges,
  '2026-11-21-written-down-actions': writtenDownActions,
  '2026-11-22-audit-log': auditLog,
  '2026-11-22-bound-admin-links': boundAdminLinks,
  '2026-11-22-claims': claims,
  '2026-11-22-confirmed-sessions': confirmedSessions,
  '2026-11-22-forwarders': forwarders,
  '2026-11-22-jobs': jobs,
  '2026-11-22-key-ring': keyRing,
  '2026-11-22-signing-keys': signingKeys,
  '2026-11-22-unseen-addresses': unseenAddresses,
};
