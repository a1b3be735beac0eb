import { sql } from 'kysely';
import type { DeviceStatus, EndCause, UserStatus } from 'whorl/wire';
import { statement } from '../../../ground/db/statement.js';
import type { Database, Transaction } from '../../service.js';

/** Notification channel for detached and blocked devices; the payload is the ID. */
export const endedChannel = 'whorl_device_ended';

const sendNotification = statement<{ readonly id: string }>()`select pg_notify('whorl_device_ended', ${'id'}::text)`;

/** Notifies the processes where pages of this device wait. The notification is sent when the transaction commits. */
export async function notifyEnded(trx: Transaction, id: string): Promise<void> {
  await sendNotification(trx, { id });
}

/** Like `notifyEnded`, for all devices of a user who was suspended or is about to be erased. */
export async function notifyEndedOfUser(trx: Transaction, worldId: string, userId: string): Promise<void> {
  const devices = await trx
    .selectFrom('devices')
    .select('id')
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .execute();
  // Apart from the query, which Citus runs on a worker: processes listen to the coordinator.
  const ids = devices.map(({ id }) => id);
  await sql`select pg_notify(${endedChannel}, id) from unnest(${ids}::text[]) id`.execute(trx);
}

/** Records for the pages of a user's devices that the user was suspended. Devices signed out earlier are not changed. */
export async function endDevicesOfUser(trx: Transaction, worldId: string, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('devices')
    .set({ ended_at: at, end_cause: 'suspend' })
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['attached', 'pending'])
    .execute();
}

/** State of a device that its pages are notified about. */
export interface DeviceState {
  /** ID from the request. The device may since have been merged into another one. */
  readonly requested_id: string;
  readonly status: DeviceStatus;
  readonly ended_at: Date | null;
  readonly end_cause: EndCause | null;
  readonly user_status: UserStatus;
  /** IDs of its newest open challenges, at most 10, the oldest first. */
  readonly challenges: readonly string[];
}

/** Device in either world of a project, as identified by a device token. */
export interface DeviceOfProject {
  readonly projectId: string;
  readonly id: string;
}

/** Returns the states of devices, by the IDs from the request. Erased devices are left out. */
export async function readDeviceStates(
  db: Database,
  devices: readonly DeviceOfProject[],
  now: Date,
): Promise<ReadonlyMap<string, DeviceState>> {
  const { rows } = await sql<DeviceState>`
    select x.id as requested_id, d.status, d.ended_at, d.end_cause, u.status as user_status, (
      select coalesce(jsonb_agg(c.id order by c.id), '[]'::jsonb) from (
        select id from challenges
        where world_id = d.world_id and device_id = d.id and status = 'pending' and expires_at > ${now}::timestamptz
        order by id desc limit 10
      ) c
    ) as challenges
    from unnest(${devices.map(({ projectId }) => projectId)}::uuid[], ${devices.map(({ id }) => id)}::uuid[])
      requested (project_id, id)
    join worlds w on w.project_id = requested.project_id
    join devices x on x.world_id = w.id and x.id = requested.id
    join devices d on d.world_id = x.world_id and d.id = coalesce(x.merged_into, x.id)
    join users u on u.world_id = d.world_id and u.id = d.user_id
  `.execute(db);
  return new Map(rows.map((row) => [row.requested_id, row]));
}
