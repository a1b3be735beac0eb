import type { EvaluationRow } from '../../evaluation/queries/evaluations.js';
import type { ChallengeRow } from '../../resources/challenges/queries.js';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { NoticeRow } from '../../resources/notices/queries.js';
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
  readonly notices: NoticeRow[];
  readonly events: { type: string; created_at: Date; data: object }[];
  readonly adminActions: { action: string; subject: string | null; created_at: Date }[];
}

/** @param nameIndexes Blind indexes of the user's name, under which failed attempts before it existed are stored. */
export async function readRowsOfUser(
  db: Database,
  user: UserRow,
  nameIndexes: readonly Uint8Array[],
): Promise<RowsOfUser> {
  return {
    addresses: await readAddresses(db, user),
    devices: await readDevices(db, user),
    fingerprints: await readFingerprints(db, user),
    keys: await readKeys(db, user),
    evaluations: await readEvaluations(db, user, nameIndexes),
    challenges: await readChallenges(db, user),
    notices: await readNotices(db, user),
    events: await readEvents(db, user),
    adminActions: await readAdminActions(db, user),
  };
}

/** Returns the conditions for rows of a user, and for rows stored under its name before it existed. */
function ownedBy({ id, world_id, external_id }: UserRow) {
  return { owned: { world_id, user_id: id }, named: { world_id, external_user: external_id } };
}

function readAddresses(db: Database, user: UserRow): Promise<RowsOfUser['addresses']> {
  return db
    .selectFrom('user_addresses')
    .select(['network', 'seen_at', 'trusted_until'])
    .where('world_id', '=', user.world_id)
    .where('user_id', '=', user.id)
    .orderBy('seen_at', (order) => order.asc().nullsFirst())
    .orderBy('network')
    .execute();
}

function readDevices(db: Database, user: UserRow): Promise<RowsOfUser['devices']> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('world_id', '=', user.world_id)
    .where('user_id', '=', user.id)
    .where('merged_into', 'is', null)
    .orderBy('created_at')
    .execute();
}

function readFingerprints(db: Database, user: UserRow): Promise<RowsOfUser['fingerprints']> {
  return (
    db
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
      .where('d.world_id', '=', user.world_id)
      .where('d.user_id', '=', user.id)
      // The identity's other fingerprints may be other users'.
      .where((where) => where.or([where('k.device_id', 'is not', null), where('v.id', '=', where.ref('d.variant_id'))]))
      .orderBy('v.first_seen_at')
      .execute()
  );
}

function readKeys(db: Database, user: UserRow): Promise<RowsOfUser['keys']> {
  return db
    .selectFrom('device_keys as k')
    .innerJoin('devices as d', (join) => join.onRef('d.world_id', '=', 'k.world_id').onRef('d.id', '=', 'k.device_id'))
    .select(['k.device_id', 'k.thumbprint', 'k.created_at', 'k.revoked_at'])
    .where('d.world_id', '=', user.world_id)
    .where('d.user_id', '=', user.id)
    .orderBy('k.created_at')
    .execute();
}

function readEvaluations(
  db: Database,
  user: UserRow,
  nameIndexes: readonly Uint8Array[],
): Promise<RowsOfUser['evaluations']> {
  const { owned, named } = ownedBy(user);
  return db
    .selectFrom('evaluations')
    .selectAll()
    .where('world_id', '=', user.world_id)
    .where((where) =>
      where.or([
        where.and(owned),
        where.and([where.and(named), where('user_id', 'is', null)]),
        where('user_index', 'in', [...nameIndexes]),
      ]),
    )
    .orderBy('created_at')
    .execute();
}

function readChallenges(db: Database, user: UserRow): Promise<RowsOfUser['challenges']> {
  const { owned, named } = ownedBy(user);
  return db
    .selectFrom('challenges')
    .selectAll()
    .where((where) => where.or([where.and(owned), where.and([where.and(named), where('user_id', 'is', null)])]))
    .orderBy('created_at')
    .execute();
}

function readNotices(db: Database, user: UserRow): Promise<RowsOfUser['notices']> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('world_id', '=', user.world_id)
    .where('user_id', '=', user.id)
    .orderBy('created_at')
    .execute();
}

function readEvents(db: Database, user: UserRow): Promise<RowsOfUser['events']> {
  return db
    .selectFrom('events')
    .select(['type', 'created_at', 'data'])
    .where('world_id', '=', user.world_id)
    .where('user_id', '=', user.id)
    .orderBy('created_at')
    .execute();
}

/** Reads what members did on the dashboard, without the member, who is another person. */
function readAdminActions(db: Database, user: UserRow): Promise<RowsOfUser['adminActions']> {
  return db
    .selectFrom('audit_log')
    .select(['kind as action', 'subject', 'created_at'])
    .where('user_id', '=', user.id)
    .where('actor', '=', 'administrator')
    .orderBy('created_at')
    .execute();
}
