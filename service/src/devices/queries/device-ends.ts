import { sql } from 'kysely';
import type { DeviceStatus, EndCause, UserStatus } from 'whorl/wire';
import { statement } from '../../db/statement.js';
import type { Database, Transaction } from '../../service.js';

/** The channel on which the database tells of devices that were ended; what it tells is the id. */
export const endedChannel = 'whorl_device_ended';

const tellEnded = statement<{ readonly id: string }>()`select pg_notify('whorl_device_ended', ${'id'}::text)`;

/** Tells the processes that have a page of this device waiting, once the transaction is committed. */
export async function notifyEnded(trx: Transaction, id: string): Promise<void> {
  await tellEnded(trx, { id });
}

/** The same of all devices of a user, who was suspended, or is about to be erased. */
export async function notifyEndedOfUser(trx: Transaction, worldId: string, userId: string): Promise<void> {
  await sql`
    select pg_notify('whorl_device_ended', id::text) from devices where world_id = ${worldId} and user_id = ${userId}
  `.execute(trx);
}

/** Writes down for the pages of a user's devices that the user was suspended. What was signed out before stays so. */
export async function endDevicesOfUser(trx: Transaction, worldId: string, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ ended_at: at, end_cause: 'suspend' })
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['attached', 'pending'])
    .execute();
}

/** What a page of a device may have to hear of. */
export interface DeviceState {
  /** The id that was asked for; the device may have turned out to be another one. */
  readonly asked: string;
  readonly status: DeviceStatus;
  readonly ended_at: Date | null;
  readonly end_cause: EndCause | null;
  readonly user_status: UserStatus;
  /** The newest challenges about it that are open, by their ids, the oldest first. */
  readonly challenges: readonly string[];
}

/** A device of one of a project's worlds, as a device token names it. */
export interface DeviceOfProject {
  readonly projectId: string;
  readonly id: string;
}

/** How devices stand, by the ids that were asked for; one that was erased is not among them. */
export async function readDeviceStates(
  db: Database,
  devices: readonly DeviceOfProject[],
  now: Date,
): Promise<ReadonlyMap<string, DeviceState>> {
  const { rows } = await sql<DeviceState>`
    select x.id as asked, d.status, d.ended_at, d.end_cause, u.status as user_status, (
      select coalesce(jsonb_agg(c.id order by c.id), '[]'::jsonb) from (
        select id from challenges
        where world_id = d.world_id and device_id = d.id and status = 'pending' and expires_at > ${now}::timestamptz
        order by id desc limit 10
      ) c
    ) as challenges
    from unnest(${devices.map(({ projectId }) => projectId)}::uuid[], ${devices.map(({ id }) => id)}::uuid[])
      asked (project_id, id)
    join worlds w on w.project_id = asked.project_id
    join devices x on x.world_id = w.id and x.id = asked.id
    join devices d on d.world_id = x.world_id and d.id = coalesce(x.merged_into, x.id)
    join users u on u.world_id = d.world_id and u.id = d.user_id
  `.execute(db);
  return new Map(rows.map((row) => [row.asked, row]));
}
