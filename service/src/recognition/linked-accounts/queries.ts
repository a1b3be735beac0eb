import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';
import { type LinkKind, type LinkRow, linkRules } from './rules/links.js';

/** Devices, and addresses, of each account that are compared: the most recently seen. */
const perAccount = sql.lit(50);

export interface LinkLookup {
  readonly worldId: string;
  readonly userIds: readonly string[];
  /** Whether hardware is compared. */
  readonly withHardware: boolean;
}

/**
 * Returns what accounts have and who else has it, themselves included. Of a thing that more accounts have than its
 * kind's maximum, one more than the maximum is returned.
 */
export async function listLinks(db: Database, { worldId, userIds, withHardware }: LinkLookup): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    with own_devices as materialized (
      select d.* from unnest(${[...userIds]}::uuid[]) a (id) cross join lateral (
        select id, identity_id, variant_id, user_id from devices
        where world_id = ${worldId} and user_id = a.id and merged_into is null
        order by last_seen_at desc limit ${perAccount}
      ) d
    ), own_users as materialized (
      select id, email_mark, phone_mark from users where world_id = ${worldId} and id = any(${[...userIds]}::uuid[])
    )
    select 'key' as kind, own.value, o.user_id, o.label, o.device_id from (
      select distinct k.thumbprint as value from own_devices d
      join device_keys k on k.world_id = ${worldId} and k.device_id = d.id
    ) own cross join lateral (
      select d.user_id, d.info ->> 'label' as label, d.id as device_id
      from device_keys k join devices d on d.world_id = k.world_id and d.id = k.device_id
      where k.world_id = ${worldId} and k.thumbprint = own.value ${oneMoreThan('key')}
    ) o
    union all
    select 'device', own.value::text, o.user_id, o.label, o.device_id
    from (select distinct identity_id as value from own_devices) own cross join lateral (
      select user_id, info ->> 'label' as label, id as device_id from devices
      where world_id = ${worldId} and identity_id = own.value and merged_into is null
      order by last_seen_at desc ${oneMoreThan('device')}
    ) o
    union all ${usersOfContact(worldId, 'email')}
    union all ${usersOfContact(worldId, 'phone')}
    union all
    select 'address', own.value, o.user_id, own.value, null from (
      select distinct a.network as value from own_users u cross join lateral (
        select network from user_addresses where world_id = ${worldId} and user_id = u.id
        order by seen_at desc nulls last limit ${perAccount}
      ) a
    ) own cross join lateral (
      select user_id from user_addresses where world_id = ${worldId} and network = own.value
      order by seen_at desc ${oneMoreThan('address')}
    ) o
    ${withHardware ? sql`union all ${usersOfHardware(worldId)}` : sql``}
  `.execute(db);
  return rows;
}

function oneMoreThan(kind: LinkKind) {
  return sql`limit ${sql.lit(linkRules[kind].maxAccounts + 1)}`;
}

function usersOfContact(worldId: string, kind: 'email' | 'phone') {
  const mark = sql.ref(`${kind}_mark`);
  return sql`
    select ${sql.lit(kind)}, encode(own.value, 'hex'), o.id, null, null
    from (select distinct ${mark} as value from own_users where ${mark} is not null) own cross join lateral (
      select id from users where world_id = ${worldId} and ${mark} = own.value ${oneMoreThan(kind)}
    ) o`;
}

/** A model of a common phone has very many devices, so only the most recently seen fingerprints are read. */
function usersOfHardware(worldId: string) {
  return sql`
    select 'hardware', own.value, o.user_id, o.label, o.device_id from (
      select distinct v.hardware_key as value from own_devices d
      join variants v on v.world_id = ${worldId} and v.id = d.variant_id where v.hardware_key is not null
    ) own cross join lateral (
      select d.user_id, d.info ->> 'label' as label, d.id as device_id from (
        select id from variants where world_id = ${worldId} and hardware_key = own.value
        order by last_seen_at desc limit ${sql.lit(4 * linkRules.hardware.maxAccounts)}
      ) v join devices d on d.world_id = ${worldId} and d.variant_id = v.id ${oneMoreThan('hardware')}
    ) o`;
}

/** Account, as the pages about linked accounts show it. */
export interface LinkedUserRow {
  readonly id: string;
  readonly external_id: string;
  readonly status: 'active' | 'suspended';
  readonly created_at: Date;
}

/** Returns accounts, the newest first. */
export async function listLinkedUsers(
  db: Database,
  worldId: string,
  userIds: readonly string[],
): Promise<LinkedUserRow[]> {
  return db
    .selectFrom('users')
    .select(['id', 'external_id', 'status', 'created_at'])
    .where('world_id', '=', worldId)
    .where(sql<boolean>`id = any(${[...userIds]}::uuid[])`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Returns the strong links of the most recently seen devices: up to a number of attached ones, and as many others.
 * Detached and blocked devices count too, because they were the accounts'.
 */
export async function listRecentLinks(db: Database, worldId: string, limit: number): Promise<LinkRow[]> {
  const recent = (attached: boolean) => sql`(
      select id, identity_id, user_id, info ->> 'label' as label from devices
      where world_id = ${worldId} and ${attached ? sql`status = 'attached'` : sql`status <> 'attached'`}
        and merged_into is null
      order by last_seen_at desc limit ${sql.lit(limit)})`;
  const { rows } = await sql<LinkRow>`
    with recent as materialized (${recent(true)} union all ${recent(false)}),
    owners as materialized (
      select id, email_mark, phone_mark from users
      where world_id = ${worldId} and id in (select user_id from recent)
    )
    select 'device' as kind, identity_id::text as value, user_id, label, id as device_id from recent
    union all
    select 'key', k.thumbprint, r.user_id, r.label, r.id
    from recent r join device_keys k on k.world_id = ${worldId} and k.device_id = r.id
    union all
    select 'email', encode(email_mark, 'hex'), id, null, null from owners where email_mark is not null
    union all
    select 'phone', encode(phone_mark, 'hex'), id, null, null from owners where phone_mark is not null
  `.execute(db);
  return rows;
}
