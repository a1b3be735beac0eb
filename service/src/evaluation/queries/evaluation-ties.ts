import { sql } from 'kysely';
import type { DeviceKind } from 'whorl/wire';
import { statement } from '../../ground/db/statement.js';
import type { Database } from '../../resources/service.js';
import type { QuestionValues, StateLookup } from './evaluation-state.js';

/** Other user who has the same identity or key as the evaluated user. */
export interface OtherUser {
  readonly userId: string;
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  readonly today: boolean;
}

/** Other users of an identity, and the number of devices that look like it. */
export interface IdentityTies {
  readonly others: OtherUser[] | null;
  readonly erased_accounts: number;
  /** Whether this user was erased while this device was blocked. */
  readonly was_blocked: boolean;
  readonly crowd: number;
  readonly devices_in_world: number;
}

/** Identity whose other users are read. */
interface IdentityOfUser {
  readonly identityId: string;
  /** Evaluated user, who is excluded; null if it does not exist. */
  readonly userId: string | null;
  /** Blind indexes of the user. If the user was erased, one is stored. */
  readonly erasedMarks: readonly Uint8Array[];
}

const selectIdentityTies = statement<
  QuestionValues<'worldId' | 'dayAgo' | 'network' | 'emailMarks' | 'phoneMarks' | 'hardwareKey'> & IdentityOfUser,
  IdentityTies
>()`
  select
    (
      select jsonb_agg(jsonb_build_object(
        'userId', o.user_id,
        'sameAddress', coalesce(o.last_network = ${'network'}::text, false),
        'sameContact', coalesce(u.email_mark = any(${'emailMarks'}::bytea[]), false)
          or coalesce(u.phone_mark = any(${'phoneMarks'}::bytea[]), false),
        'today', o.last_seen_at > ${'dayAgo'}::timestamptz
      ) order by o.last_seen_at desc)
      from (
        select x.user_id, x.last_network, x.last_seen_at from devices x
        where x.world_id = ${'worldId'} and x.identity_id = ${'identityId'}
          and x.user_id is distinct from ${'userId'}::uuid
        order by x.last_seen_at desc limit 50
      ) o join users u on u.world_id = ${'worldId'} and u.id = o.user_id
    ) as others,
    (
      select count(*)::int from (
        select from marks m
        where m.world_id = ${'worldId'} and m.identity_id = ${'identityId'} and m.cause = 'account'
          and m.mark <> all(${'erasedMarks'}::bytea[])
        limit 50
      ) counted
    ) as erased_accounts,
    exists (
      select from marks m where m.world_id = ${'worldId'} and m.identity_id = ${'identityId'}
        and m.cause = 'blocked' and m.mark = any(${'erasedMarks'}::bytea[])
    ) as was_blocked,
    (
      select coalesce(sum(c.devices), 0)::int from crowds c
      where c.world_id = ${'worldId'} and c.hardware_key = ${'hardwareKey'}::text
    ) as crowd,
    (
      select coalesce(sum(c.devices), 0)::int from crowds c
      where c.world_id = ${'worldId'} and c.hardware_key = ''
    ) as devices_in_world`;

/** Reads the other users who have or had a device of an identity: at most the 50 newest and 50 erased ones. */
export async function loadIdentityTies(
  db: Database,
  lookup: StateLookup,
  identity: IdentityOfUser,
): Promise<IdentityTies> {
  const { worldId, network = null, emailMarks = null, phoneMarks = null, hardwareKey = null, dayAgo } = lookup;
  const values = { worldId, network, emailMarks, phoneMarks, hardwareKey, dayAgo, ...identity };
  const [ties] = await selectIdentityTies(db, values);
  if (!ties) throw new Error('The query for the other users of an identity returned no row.');
  return ties;
}

/** Devices of a user, as needed for limits. */
export interface OwnDevices {
  /** Whether any device was ever attached; null if the user has no devices. */
  readonly has_devices: boolean | null;
  /** Kind of each attached device. */
  readonly attached: DeviceKind[] | null;
  /** Attached devices that are active at the same time, except the evaluated one. */
  readonly active: { deviceId: string; network: string }[] | null;
}

interface OwnDevicesLookup {
  readonly worldId: string;
  readonly userId: string;
  readonly deviceId: string | null;
  readonly activeSince: Date;
}

const selectOwnDevices = statement<OwnDevicesLookup, OwnDevices>()`
  select bool_or(x.status <> 'pending') as has_devices, jsonb_agg(x.kind) filter (where x.status = 'attached') as attached,
    jsonb_agg(jsonb_build_object('deviceId', x.id, 'network', x.last_network)) filter (
      where x.id is distinct from ${'deviceId'}::uuid and x.last_seen_at > ${'activeSince'}::timestamptz
        and x.last_network is not null and x.status = 'attached'
    ) as active
  from devices x where x.world_id = ${'worldId'} and x.user_id = ${'userId'}`;

export async function loadOwnDevices(db: Database, lookup: OwnDevicesLookup): Promise<OwnDevices | undefined> {
  const [own] = await selectOwnDevices(db, lookup);
  return own;
}

/** Returns the number of other users seen at an address within a day, at most one more than the limit. */
export async function countUsersAtAddress(
  db: Database,
  { worldId, network, dayAgo, limits }: StateLookup,
  userId: string | null,
): Promise<number> {
  const { rows } = await sql<{ users: number }>`
    select count(*)::int as users from (
      select from user_addresses a
      where a.world_id = ${worldId} and a.network = ${network ?? null}::text and a.seen_at > ${dayAgo}
        and a.user_id is distinct from ${userId}::uuid
      limit ${sql.lit(limits.usersAtAddress + 1)}
    ) counted
  `.execute(db);
  return rows[0]?.users ?? 0;
}

const selectKeyHolders = statement<
  QuestionValues<'worldId' | 'externalId' | 'dayAgo' | 'network' | 'emailMarks' | 'phoneMarks' | 'keyThumbprint'>,
  OtherUser
>()`
  select u.id as "userId",
    coalesce(bool_or(d.last_network = ${'network'}::text), false) as "sameAddress",
    coalesce(bool_or(u.email_mark = any(${'emailMarks'}::bytea[])), false)
      or coalesce(bool_or(u.phone_mark = any(${'phoneMarks'}::bytea[])), false) as "sameContact",
    bool_or(d.last_seen_at > ${'dayAgo'}::timestamptz) as today
  from (
    select k.device_id from device_keys k
    where k.world_id = ${'worldId'} and k.thumbprint = ${'keyThumbprint'} order by k.device_id desc limit 50
  ) k
  join devices d on d.world_id = ${'worldId'} and d.id = k.device_id
  join users u on u.world_id = ${'worldId'} and u.id = d.user_id
  where u.external_id <> ${'externalId'}
  group by u.id`;

/**
 * Returns other users whose devices have or had the proven key, whatever their fingerprints. A separate query, so that
 * evaluations without a proof do not pay for it.
 */
export async function loadKeyHolders(db: Database, lookup: StateLookup): Promise<OtherUser[]> {
  const { keyThumbprint, worldId, externalId, network = null, emailMarks = null, phoneMarks = null, dayAgo } = lookup;
  if (keyThumbprint === undefined) return [];
  return selectKeyHolders(db, { worldId, externalId, keyThumbprint, network, emailMarks, phoneMarks, dayAgo });
}

/** What a referrer has in common with the referred user. */
export interface ReferrerTies {
  readonly user_id: string;
  readonly same_device: boolean;
  readonly same_address: boolean;
  readonly same_contact: boolean;
  readonly same_key: boolean;
}

/**
 * Returns what a referrer has in common with the evaluated device, address, contacts and key; undefined if there is no
 * such user.
 */
export async function loadReferrer(
  db: Database,
  referrer: string,
  { lookup, identityId }: { readonly lookup: StateLookup; readonly identityId: string },
): Promise<ReferrerTies | undefined> {
  const { worldId, network, emailMarks, phoneMarks, keyThumbprint } = lookup;
  const { rows } = await sql<ReferrerTies>`
    select u.id as user_id,
      exists (
        select from devices d
        where d.world_id = ${worldId} and d.user_id = u.id and d.identity_id = ${identityId}::uuid
      ) as same_device,
      exists (
        select from user_addresses a
        where a.world_id = ${worldId} and a.user_id = u.id and a.network = ${network ?? null}::text
      ) as same_address,
      coalesce(u.email_mark = any(${emailMarks ?? null}::bytea[]), false)
        or coalesce(u.phone_mark = any(${phoneMarks ?? null}::bytea[]), false) as same_contact,
      exists (
        select from device_keys k join devices d on d.world_id = ${worldId} and d.id = k.device_id
        where k.world_id = ${worldId} and k.thumbprint = ${keyThumbprint ?? null}::text and d.user_id = u.id
      ) as same_key
    from users u
    where u.world_id = ${worldId} and u.external_id = ${referrer}
  `.execute(db);
  return rows[0];
}
