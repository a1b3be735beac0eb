import type { EvaluationRow } from '../../evaluation/queries/evaluations.js';
import type { ChallengeRow } from '../../resources/challenges/queries.js';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { Database } from '../../resources/service.js';
import type { UserRow } from '../../resources/users/queries/users.js';

/** All rows of a user, the oldest first, including those stored under its name before it existed. */
export interface RowsOfUser {
  readonly addresses: { network: string; seen_at: Date | null; trusted_until: Date | null }[];
  readonly devices: DeviceRow[];
  readonly fingerprints: { device_id: string; fingerprint: string; first_seen_at: Date; last_seen_at: Date }[];
  readonly keys: { device_id: string; thumbprint: string; created_at: Date; revoked_at: Date | null }[];
  readonly evaluations: EvaluationRow[];
  readonly challenges: ChallengeRow[];
  readonly events: { type: string; created_at: Date; data: object }[];
  readonly adminActions: { action: string; subject: string | null; created_at: Date }[];
}

/** @param nameIndexes Blind indexes of the user's name, under which failed attempts before it existed are stored. */
export async function readRowsOfUser(
  db: Database,
  { id, world_id, external_id }: UserRow,
  nameIndexes: readonly Uint8Array[],
): Promise<RowsOfUser> {
  const ownedBy = { world_id, user_id: id };
  const named = { world_id, external_user: external_id };
  return {
    addresses: await db
      .selectFrom('user_addresses')
      .select(['network', 'seen_at', 'trusted_until'])
      .where('world_id', '=', world_id)
      .where('user_id', '=', id)
      .orderBy('seen_at', (order) => order.asc().nullsFirst())
      .orderBy('network')
      .execute(),
    devices: await db
      .selectFrom('devices')
      .selectAll()
      .where('world_id', '=', world_id)
      .where('user_id', '=', id)
      .where('merged_into', 'is', null)
      .orderBy('created_at')
      .execute(),
    fingerprints: await db
      .selectFrom('devices as d')
      .innerJoin('variants as v', (join) =>
        join.onRef('v.world_id', '=', 'd.world_id').onRef('v.identity_id', '=', 'd.identity_id'),
      )
      .leftJoin('device_variants as k', (join) =>
        join
          .onRef('k.world_id', '=', 'd.world_id')
          .onRef('k.device_id', '=', 'd.id')
          .onRef('k.variant_id', '=', 'v.id'),
      )
      .select(['d.id as device_id', 'v.fingerprint', 'v.first_seen_at', 'v.last_seen_at'])
      .where('d.world_id', '=', world_id)
      .where('d.user_id', '=', id)
      // The identity's other fingerprints may be other users'.
      .where((where) => where.or([where('k.device_id', 'is not', null), where('v.id', '=', where.ref('d.variant_id'))]))
      .orderBy('v.first_seen_at')
      .execute(),
    keys: await db
      .selectFrom('device_keys as k')
      .innerJoin('devices as d', (join) =>
        join.onRef('d.world_id', '=', 'k.world_id').onRef('d.id', '=', 'k.device_id'),
      )
      .select(['k.device_id', 'k.thumbprint', 'k.created_at', 'k.revoked_at'])
      .where('d.world_id', '=', world_id)
      .where('d.user_id', '=', id)
      .orderBy('k.created_at')
      .execute(),
    evaluations: await db
      .selectFrom('evaluations')
      .selectAll()
      .where('world_id', '=', world_id)
      .where((where) =>
        where.or([
          where.and(ownedBy),
          where.and([where.and(named), where('user_id', 'is', null)]),
          where('user_index', 'in', [...nameIndexes]),
        ]),
      )
      .orderBy('created_at')
      .execute(),
    challenges: await db
      .selectFrom('challenges')
      .selectAll()
      .where((where) => where.or([where.and(ownedBy), where.and([where.and(named), where('user_id', 'is', null)])]))
      .orderBy('created_at')
      .execute(),
    events: await db
      .selectFrom('events')
      .select(['type', 'created_at', 'data'])
      .where('world_id', '=', world_id)
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
    // Without the administrator, who is another person.
    adminActions: await db
      .selectFrom('audit_log')
      .select(['kind as action', 'subject', 'created_at'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
  };
}
