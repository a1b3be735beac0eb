import { claimIndexes, openClaim } from '../../evaluation/claims/content.js';
import { type ClaimRow, listClaimsOfUser } from '../../evaluation/claims/queries.js';
import { claimRecord } from '../../evaluation/claims/views.js';
import { nameIndexes, openRequest } from '../../evaluation/normalised-request.js';
import { toEvaluationRecord } from '../../evaluation/present.js';
import type { EvaluationRow } from '../../evaluation/queries/evaluations.js';
import { type Origin, recordInWorld } from '../../resources/audit/audit.js';
import type { ChallengeRow } from '../../resources/challenges/queries.js';
import { toDevice } from '../../resources/devices/present.js';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { NoticeRow } from '../../resources/notices/queries.js';
import type { Caller, Service } from '../../resources/service.js';
import { toUser } from '../../resources/users/present.js';
import type { UserRow } from '../../resources/users/queries/users.js';
import { withUser } from '../../resources/users/with-user.js';
import { type RowsOfUser, readRowsOfUser } from './queries.js';

/**
 * Returns all data about a user as one JSON document (`GET /v2/user/:id/export`). Contacts are not masked: the data is
 * for the user only.
 *
 * @throws {ApiError} `not_found`
 */
export async function exportUser(
  service: Service,
  caller: Caller,
  userId: string,
  origin: Origin,
): Promise<Record<string, unknown>> {
  return withUser(service, caller, userId, async ({ work, user }) => {
    const rows = await readRowsOfUser(work.db, user, nameIndexes(service, caller.worldId, user.external_id));
    const indexes = [user.external_id, user.id].flatMap((name) => claimIndexes(service, caller.worldId, name));
    const claims = await listClaimsOfUser(work.db, caller.worldId, indexes);
    await recordInWorld(work, { ...origin, kind: 'user_exported', userId: user.id, subject: user.id });
    return {
      exported_at: service.now().toISOString(),
      user: { ...toUser(service, user), ...contactsOf(service, user) },
      addresses: rows.addresses,
      devices: rows.devices.map((device) => exportedDevice(caller, device, user, rows)),
      evaluations: rows.evaluations.map((row) => exportedEvaluation(service, row)),
      claims: claims.flatMap((row) => exportedClaim(service, row)),
      challenges: rows.challenges.map(exportedChallenge),
      notices: rows.notices.map((row) => exportedNotice(service, row)),
      events: rows.events.map(({ type, created_at, data }) => ({ type, timestamp: created_at, data })),
      admin_actions: rows.adminActions.map(({ action, subject, created_at }) => ({
        action,
        subject,
        timestamp: created_at,
      })),
    };
  });
}

function contactsOf({ vault }: Service, { email, phone, former_email, former_email_until }: UserRow) {
  return {
    ...(email && { email: vault.open(email, 'user.email') }),
    ...(phone && { phone: vault.open(phone, 'user.phone') }),
    ...(former_email && { former_email: vault.open(former_email, 'user.email'), former_email_until }),
  };
}

function exportedDevice(caller: Caller, device: DeviceRow, user: UserRow, { fingerprints, keys }: RowsOfUser) {
  const ownOf = <Row extends { device_id: string }>(rows: readonly Row[]) =>
    rows.filter(({ device_id }) => device_id === device.id).map(({ device_id: _, ...row }) => row);
  return { ...toDevice(caller, device, user), fingerprints: ownOf(fingerprints), keys: ownOf(keys) };
}

function exportedEvaluation(service: Service, row: EvaluationRow) {
  const { email, phone } = openRequest(service, row);
  return {
    ...toEvaluationRecord(service, row),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
  };
}

/** Returns a claim about the user, which any page may have sent. Unconsumed claims are kept for a day. */
function exportedClaim(service: Service, row: ClaimRow) {
  const claim = openClaim(service, row);
  if (!claim) return [];
  const { email, phone, user_agent } = claim.content.request;
  return [
    {
      ...claimRecord(service, claim),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(user_agent !== undefined && { user_agent }),
    },
  ];
}

/** Returns a challenge without the hash of its code, which means nothing to the user. */
function exportedChallenge(row: ChallengeRow) {
  const { id, device_id, action, ip, reasons, methods, status, code_channel, verified_by, sends } = row;
  const { sent_at, opened_at, verified_at, completed_at, expires_at, created_at } = row;
  const times = { sent_at, opened_at, verified_at, completed_at, expires_at, createdAt: created_at };
  const code = { channel: code_channel, sends };
  return { _id: id, device_id, action, ip, reasons, methods, status, verified_by, ...code, ...times };
}

/** Returns a message to the user about a device or a contact. */
function exportedNotice({ vault }: Service, { id, kind, device_id, info, ip, ...row }: NoticeRow) {
  const { replaced_email, created_at, used_at } = row;
  const replaced = replaced_email && { replaced_email: vault.open(replaced_email, 'user.email') };
  return { _id: id, kind, device_id, info, ip, ...replaced, used_at, createdAt: created_at };
}
