import type { DeviceKind, DeviceStatus, UserStatus } from 'whorl/wire';
import type { Database } from '../../service.js';
import { statement } from '../statement.js';

/** What is asked of the database before an evaluation is judged. */
export interface StateQuestion {
  readonly worldId: string;
  readonly externalId: string;
  /** Where the fingerprint is not recognised yet: the one of this digest counts, and its identity. */
  readonly digest?: Uint8Array;
  readonly identityId?: string;
  readonly variantId?: string;
  readonly hardwareKey: string | undefined;
  readonly network: string | undefined;
  readonly emailMark: Uint8Array | undefined;
  readonly phoneMark: Uint8Array | undefined;
  /** The key that was proved. */
  readonly keyThumbprint: string | undefined;
  /** Keyed hash of the user's identifier, under which it stands if it was erased while a device was blocked. */
  readonly erasedMark: Uint8Array;
  readonly now: Date;
  readonly dayAgo: Date;
  readonly activeSince: Date;
  readonly countedUsers: number;
}

/** Another user whom something ties to the one at hand. */
export interface OtherUser {
  readonly userId: string;
  readonly sameAddress: boolean;
  readonly sameContact: boolean;
  readonly today: boolean;
}

/** What stands there, in one row. */
export interface State {
  /** The identity and the variant that were asked for, or those of the digest; null where it is not on record. */
  readonly identity_id: string | null;
  readonly variant_id: string | null;
  /** Of the variant of the digest. */
  readonly variant_claimed: boolean | null;
  readonly variant_seen_at: Date | null;
  readonly user_id: string | null;
  readonly external_id: string | null;
  readonly user_status: UserStatus | null;
  readonly email: Uint8Array | null;
  readonly phone: Uint8Array | null;
  readonly has_devices: boolean | null;
  readonly device_id: string | null;
  readonly device_status: DeviceStatus | null;
  readonly device_kind: DeviceKind | null;
  readonly trusted: boolean | null;
  readonly whitelisted: boolean | null;
  readonly auto_detached: boolean | null;
  readonly proven: boolean | null;
  readonly knows_variant: boolean;
  readonly knows_key: boolean;
  readonly was_blocked: boolean;
  readonly address_trusted: boolean;
  /** The kind of each attached device. */
  readonly attached: DeviceKind[] | null;
  readonly active: { deviceId: string; network: string }[] | null;
  readonly others: OtherUser[] | null;
  readonly erased_accounts: number;
  readonly users_at_address: number;
  readonly crowd: number;
  readonly devices_in_world: number;
}

export type StateValues = {
  readonly [Name in keyof Omit<StateQuestion, 'countedUsers'>]-?: Exclude<StateQuestion[Name], undefined> | null;
};

/**
 * Each part is found by an index, and what could grow with the project is cut off. The limits tell the planner what it
 * has no samples for: a user and its device are one row at most. For the same reason the number of users to be counted
 * stands in the text: as a parameter it would have the planner expect so much that it plans for the values each time.
 */
const createSelectState = (countedUsers: number) => statement<StateValues, State>()`
  select
    f.identity_id, f.variant_id, f.claimed as variant_claimed, f.last_seen_at as variant_seen_at,
    u.id as user_id, u.external_id, u.status as user_status, u.email, u.phone,
    d.id as device_id, d.status as device_status, d.kind as device_kind, d.trusted, d.whitelisted, d.auto_detached,
    d.proven, own.has_devices, own.attached, own.active,
    exists (select from device_variants k where k.device_id = d.id and k.variant_id = f.variant_id) as knows_variant,
    exists (
      select from device_keys k
      where k.device_id = d.id and k.thumbprint = ${'keyThumbprint'}::text and k.revoked_at is null
    ) as knows_key,
    exists (
      select from marks m where m.world_id = ${'worldId'} and m.identity_id = f.identity_id
        and m.cause = 'blocked' and m.mark = ${'erasedMark'}
    ) as was_blocked,
    exists (
      select from user_addresses a
      where a.user_id = u.id and a.network = ${'network'}::text and a.trusted_until > ${'now'}::timestamptz
    ) as address_trusted,
    (
      select jsonb_agg(jsonb_build_object(
        'userId', o.user_id,
        'sameAddress', coalesce(o.last_network = ${'network'}::text, false),
        'sameContact', coalesce(ou.email_mark = ${'emailMark'}::bytea, false)
          or coalesce(ou.phone_mark = ${'phoneMark'}::bytea, false),
        'today', o.last_seen_at > ${'dayAgo'}::timestamptz
      ) order by o.last_seen_at desc)
      from (
        select x.user_id, x.last_network, x.last_seen_at from devices x
        where x.world_id = ${'worldId'} and x.identity_id = f.identity_id and x.user_id is distinct from u.id
        order by x.last_seen_at desc limit 50
      ) o join users ou on ou.id = o.user_id
    ) as others,
    (
      select count(*)::int from (
        select from marks m
        where m.world_id = ${'worldId'} and m.identity_id = f.identity_id and m.cause = 'account'
          and m.mark <> ${'erasedMark'}
        limit 50
      ) counted
    ) as erased_accounts,
    (
      select count(*)::int from (
        select from user_addresses a
        where a.world_id = ${'worldId'} and a.network = ${'network'}::text and a.seen_at > ${'dayAgo'}::timestamptz
          and a.user_id is distinct from u.id
        limit ${countedUsers}
      ) counted
    ) as users_at_address,
    (
      select coalesce(sum(c.devices), 0)::int from crowds c
      where c.world_id = ${'worldId'} and c.hardware_key = ${'hardwareKey'}::text
    ) as crowd,
    (
      select coalesce(sum(c.devices), 0)::int from crowds c
      where c.world_id = ${'worldId'} and c.hardware_key = ''
    ) as devices_in_world
  from (
    select coalesce(${'identityId'}::uuid, v.identity_id) as identity_id, coalesce(${'variantId'}::uuid, v.id) as variant_id,
      v.claimed, v.last_seen_at
    from (select 1) one
    left join lateral (
      select x.id, x.claimed, x.last_seen_at, coalesce(i.merged_into, i.id) as identity_id
      from variants x join identities i on i.id = x.identity_id
      where x.world_id = ${'worldId'} and x.digest = ${'digest'}::bytea limit 1
    ) v on true
  ) f
  left join lateral (
    select * from users x where x.world_id = ${'worldId'} and x.external_id = ${'externalId'} limit 1
  ) u on true
  left join lateral (
    select * from devices x where x.user_id = u.id and x.identity_id = f.identity_id limit 1
  ) d on true
  cross join lateral (
    select bool_or(x.status <> 'pending') as has_devices, jsonb_agg(x.kind) filter (where x.status = 'attached') as attached,
      jsonb_agg(jsonb_build_object('deviceId', x.id, 'network', x.last_network)) filter (
        where x.id is distinct from d.id and x.last_seen_at > ${'activeSince'}::timestamptz and x.last_network is not null
      ) as active
    from devices x where x.user_id = u.id
  ) own`;

/** By the number of users to be counted: that of the default setting, and few others. */
const selectStates = new Map<number, ReturnType<typeof createSelectState>>();

/** Everything that a verdict needs of the database, in one round trip, at the same cost in any size of the project. */
export async function loadState(db: Database, question: StateQuestion): Promise<State> {
  const { digest = null, identityId = null, variantId = null, hardwareKey = null } = question;
  const { network = null, emailMark = null, phoneMark = null, keyThumbprint = null } = question;
  const { countedUsers, ...rest } = question;
  const selectState = selectStates.get(countedUsers) ?? createSelectState(countedUsers);
  selectStates.set(countedUsers, selectState);
  const [state] = await selectState(db, {
    ...rest,
    ...{ digest, identityId, variantId, hardwareKey, network, emailMark, phoneMark, keyThumbprint },
  });
  if (!state) throw new Error('The state of an evaluation came without a row.');
  return state;
}

/** The name under which a user is on record: its `external_id`, also where it was named by the service's own id. */
export async function findExternalId(db: Database, worldId: string, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('external_id')
    .where('world_id', '=', worldId)
    .where((builder) => builder.or([builder('external_id', '=', userId), builder('id', '=', userId)]))
    .orderBy((builder) => builder('external_id', '=', userId), 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.external_id;
}
