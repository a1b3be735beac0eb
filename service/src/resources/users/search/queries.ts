import { type RawBuilder, sql } from 'kysely';
import { allOf } from '../../../ground/db/conditions.js';
import { type Scan, type ScanByIdRequest, type ScanKeys, scanById } from '../../../ground/db/scan-queries.js';
import { endOfPeriod, startOfPeriod } from '../../../ground/moment-rules.js';
import type { Database } from '../../service.js';
import type { UserRow } from '../queries/users.js';
import type { UserFilter } from './rules/filters.js';

export interface UserSearch extends Omit<ScanByIdRequest, 'filter' | 'within' | 'parts'> {
  /** Filters, except for those that are looked up first. */
  readonly filter: Omit<UserFilter, 'user' | 'email' | 'phone'>;
  /** Times of the oldest and newest users to find. Default: no limit. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Blind indexes of the contacts. */
  readonly emailIndexes?: readonly Uint8Array[] | undefined;
  readonly phoneIndexes?: readonly Uint8Array[] | undefined;
}

/** Maximum number of a user's devices that a filter examines. It bounds the cost of users with very many. */
const maxExaminedDevices = 1000;

/** Returns users of a world, newest first. */
export function scanUsers(
  db: Database,
  { filter, since, until, emailIndexes, phoneIndexes, ...request }: UserSearch,
): Promise<Scan<UserRow>> {
  const condition = allOf([
    ...conditionsOf(filter),
    since && sql`created_at >= ${since}`,
    until && sql`created_at <= ${until}`,
    emailIndexes && sql`email_mark in (${sql.join(emailIndexes)})`,
    phoneIndexes && sql`phone_mark in (${sql.join(phoneIndexes)})`,
  ]);
  const within = keysOf(filter.user_id, emailIndexes, phoneIndexes);
  return scanById(db, { table: sql`users`, columns: sql`*` }, { ...request, filter: condition, within });
}

/** Returns the index that finds the fewest rows. */
function keysOf(
  userId: string | undefined,
  emailIndexes: readonly Uint8Array[] | undefined,
  phoneIndexes: readonly Uint8Array[] | undefined,
): ScanKeys | undefined {
  if (userId !== undefined) return { column: 'id', keys: sql`select ${userId}::uuid as key` };
  const [column, indexes] = emailIndexes ? (['email_mark', emailIndexes] as const) : ['phone_mark', phoneIndexes];
  if (!indexes) return undefined;
  const keys = indexes.map((index) => sql`select ${index}::bytea as key`);
  return { column, keys: sql.join(keys, sql` union all `) };
}

function conditionsOf(filter: UserSearch['filter']): (RawBuilder<unknown> | undefined | '' | false)[] {
  const { status, contact, disowned, min_devices, max_devices, seen_start_date, seen_end_date } = filter;
  return [
    status && sql`status = ${status}`,
    contact && contactCondition(contact),
    disowned !== undefined && sql`(disowned_at is not null) = ${sql.lit(disowned)}`,
    min_devices !== undefined && sql`${attachedDevices(min_devices)} >= ${min_devices}`,
    max_devices !== undefined && sql`${attachedDevices(max_devices + 1)} <= ${max_devices}`,
    seen_start_date !== undefined && sql`${lastSeen} >= ${startOfPeriod(seen_start_date)}`,
    seen_end_date !== undefined && sql`${lastSeen} <= ${endOfPeriod(seen_end_date)}`,
  ];
}

function contactCondition(contact: NonNullable<UserFilter['contact']>): RawBuilder<unknown> {
  const hasEmail = contact === 'email' || contact === 'both';
  const hasPhone = contact === 'phone' || contact === 'both';
  return sql`(email is not null) = ${sql.lit(hasEmail)} and (phone is not null) = ${sql.lit(hasPhone)}`;
}

/** Returns SQL for the number of a user's attached devices, at most `max`. */
function attachedDevices(max: number): RawBuilder<number> {
  return sql`(
    select count(*) from (
      select from devices d
      where d.world_id = users.world_id and d.user_id = users.id and d.status = 'attached' and d.merged_into is null
      limit ${sql.lit(max)}
    ) counted
  )`;
}

/** SQL for when a device of a user was last seen. */
const lastSeen = sql<Date>`(
  select max(seen.last_seen_at) from (
    select d.last_seen_at from devices d
    where d.world_id = users.world_id and d.user_id = users.id and d.merged_into is null
    limit ${sql.lit(maxExaminedDevices)}
  ) seen
)`;
