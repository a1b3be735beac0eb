import { type Selectable, sql } from 'kysely';
import type { ChallengeStatus, EventType, Outcome, Reason, Verdict } from 'whorl/wire';
import { newestFirst } from '../../ground/db/newest-queries.js';
import type { Position } from '../../ground/db/position-rules.js';
import type { AdminActionName, UserAddressTable } from '../../ground/db/schema/index.js';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { Database } from '../../resources/service.js';
import type { UserKey } from '../../resources/users/queries/users.js';

export type UserAddressRow = Selectable<UserAddressTable>;

/** Returns devices of a user, most recently seen first. */
export async function listDevicesOfUser(
  db: Database,
  user: UserKey,
  { at, id }: Position,
  limit: number,
): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select * from devices
    where world_id = ${user.world_id} and user_id = ${user.id} and merged_into is null
      and (last_seen_at, id) < (${at}, ${id})
    order by last_seen_at desc, id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Returns the most recent addresses of a user. */
export async function listAddressesOfUser(db: Database, user: UserKey, limit: number): Promise<UserAddressRow[]> {
  return db
    .selectFrom('user_addresses')
    .selectAll()
    .where('world_id', '=', user.world_id)
    .where('user_id', '=', user.id)
    .orderBy('seen_at', (order) => order.desc().nullsLast())
    .limit(sql.lit(limit))
    .execute();
}

interface Entry<Kind extends string, Detail> {
  readonly kind: Kind;
  readonly id: string;
  readonly at: Date;
  readonly detail: Detail;
}

/** Entry of a user's timeline. */
export type TimelineRow =
  | Entry<
      'evaluation',
      {
        readonly action: string;
        readonly outcome: Outcome;
        readonly verdict: Verdict;
        readonly observed_verdict: Verdict | null;
        readonly reasons: readonly Reason[];
        readonly device_id: string | null;
        readonly ip: string | null;
      }
    >
  | Entry<
      'challenge',
      {
        readonly action: string;
        readonly status: ChallengeStatus;
        readonly expires_at: string;
        readonly reasons: readonly Reason[];
      }
    >
  | Entry<
      'event',
      {
        readonly type: EventType;
        readonly device_id: string | null;
        readonly challenge_id: string | null;
        readonly cause: string | null;
      }
    >
  | Entry<
      'admin_action',
      {
        readonly action: AdminActionName;
        readonly subject: string;
        /** Sealed, in hexadecimal. Null if the account was removed. */
        readonly admin_email: string | null;
      }
    >;

/**
 * Returns a page of a user's timeline, newest first. Each source returns at most `limit` rows. `challenge.initiated`
 * events are omitted because they repeat the challenge.
 */
export async function listTimeline(db: Database, user: UserKey, from: Position, limit: number): Promise<TimelineRow[]> {
  const { behind, first } = newestFirst(from, limit);
  const { rows } = await sql<TimelineRow>`
    select kind, id, created_at as at, detail from (
      (select 'evaluation' as kind, id, created_at, jsonb_build_object('action', action, 'outcome', outcome, 'verdict', verdict,
          'observed_verdict', observed_verdict, 'reasons', reasons, 'device_id', device_id, 'ip', ip) as detail
        from evaluations where world_id = ${user.world_id} and user_id = ${user.id} and ${behind} ${first})
      union all (select 'challenge', id, created_at, jsonb_build_object('action', action, 'status', status,
          'expires_at', expires_at, 'reasons', reasons)
        from challenges where world_id = ${user.world_id} and user_id = ${user.id} and ${behind} ${first})
      union all (select 'event', id, created_at, jsonb_build_object('type', type,
          'device_id', data #>> '{device,_id}', 'challenge_id', data #>> '{challenge,_id}', 'cause', data ->> 'cause')
        from events where world_id = ${user.world_id} and user_id = ${user.id} and type <> 'challenge.initiated'
          and ${behind} ${first})
      union all (select 'admin_action', a.id, a.created_at, jsonb_build_object('action', a.kind,
          'subject', a.subject, 'admin_email', encode(m.email, 'hex'))
        from (select * from audit_log where user_id = ${user.id} and actor = 'administrator' and ${behind} ${first}) a
        left join admins m on m.id = a.admin_id)
    ) entries order by created_at desc, id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}
