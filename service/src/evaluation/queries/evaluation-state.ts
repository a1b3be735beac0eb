import type { DeviceKind, DeviceStatus, UserStatus } from 'whorl/wire';
import { fragment, statement } from '../../db/statement.js';
import type { Database } from '../../service.js';

/** What is asked of the database before an evaluation is judged. */
export interface StateQuestion {
  readonly worldId: string;
  readonly externalId: string;
  readonly hardwareKey: string | undefined;
  readonly network: string | undefined;
  /** Every blind index that the contact may be stored under. */
  readonly emailMarks: readonly Uint8Array[] | undefined;
  readonly phoneMarks: readonly Uint8Array[] | undefined;
  /** The key that was proved. */
  readonly keyThumbprint: string | undefined;
  readonly now: Date;
  readonly dayAgo: Date;
  readonly activeSince: Date;
  readonly limits: StateLimits;
}

/** Whose device it is; or, where that is not recognised yet, the digest of the fingerprint: its identity counts. */
export type Whose = { readonly identityId: string; readonly variantId: string } | { readonly digest: Uint8Array };

/** From how many on it is worth a look: fewer of them are never noticed. */
export interface StateLimits {
  /** Other users at the address, within a day. */
  readonly usersAtAddress: number;
  /** Other devices of the user, active at the same time. */
  readonly activeDevices: number;
}

/** The user's device of an identity; null if there is none. */
export interface DeviceState {
  readonly device_id: string | null;
  readonly device_status: DeviceStatus | null;
  readonly device_kind: DeviceKind | null;
  readonly trusted: boolean | null;
  readonly whitelisted: boolean | null;
  readonly auto_detached: boolean | null;
  readonly proven: boolean | null;
  readonly knows_variant: boolean;
  readonly knows_key: boolean;
  readonly address_trusted: boolean;
}

/** State that a verdict depends on, in one row. */
export interface State extends DeviceState {
  /** The identity and the variant that were asked for, or those of the digest; null where it is not on record. */
  readonly identity_id: string | null;
  readonly variant_id: string | null;
  /** Of the variant of the digest. */
  readonly variant_seen_at: Date | null;
  readonly user_id: string | null;
  readonly external_id: string | null;
  readonly user_status: UserStatus | null;
  /** Counts of what was revoked: see UserTable and DeviceTable. */
  readonly revocations: number | null;
  readonly suspension: number | null;
  readonly email: Uint8Array | null;
  readonly phone: Uint8Array | null;
  readonly revocation: number | null;
  /** Whether others have, or had, devices of this identity: users, and accounts that were erased. */
  readonly is_shared: boolean;
  /** Whether as many others were at the address, or are active elsewhere, as the limits say. */
  readonly is_busy_address: boolean;
  readonly is_active_elsewhere: boolean;
}

/** Parts of the question, as a statement takes them. */
export type QuestionValues<Name extends keyof StateQuestion> = {
  readonly [Each in Name]-?: Exclude<StateQuestion[Each], undefined> | null;
};

type StateValues = QuestionValues<
  'worldId' | 'externalId' | 'network' | 'keyThumbprint' | 'now' | 'dayAgo' | 'activeSince'
> & {
  readonly digest: Uint8Array | null;
  readonly identityId: string | null;
  readonly variantId: string | null;
};

const part = fragment<StateValues>();
const knowsKey = part`exists (
      select from device_keys k
      where k.world_id = d.world_id and k.device_id = d.id and k.thumbprint = ${'keyThumbprint'}::text and k.revoked_at is null
    )`;

/**
 * Each part is found by an index, and nothing is counted or gathered: of what most evaluations have nothing of, it says
 * whether there is any, and evaluation-ties.ts reads it. To make a plan ready costs as much as to run it, for each part
 * of it. The limits tell the planner what it has no samples for: a user and its device are one row at most. For the same
 * reason those of the question stand in the text: as parameters they would have the planner expect so much that it plans
 * for the values each time.
 */
const createSelectState = ({ usersAtAddress, activeDevices }: StateLimits, withKey: boolean) =>
  statement<StateValues, State>()`
  select
    f.identity_id, f.variant_id, f.last_seen_at as variant_seen_at,
    u.id as user_id, u.external_id, u.status as user_status, u.revocations, u.suspension, u.email, u.phone,
    d.id as device_id, d.status as device_status, d.kind as device_kind, d.trusted, d.whitelisted, d.auto_detached,
    d.proven, d.revocation,
    exists (
      select from device_variants k
      where k.world_id = d.world_id and k.device_id = d.id and k.variant_id = f.variant_id
    ) as knows_variant,
    ${withKey ? knowsKey : part`false`} as knows_key,
    exists (
      select from user_addresses a
      where a.world_id = u.world_id and a.user_id = u.id and a.network = ${'network'}::text and a.trusted_until > ${'now'}::timestamptz
    ) as address_trusted,
    exists (
      select from devices x
      where x.world_id = ${'worldId'} and x.identity_id = f.identity_id and x.user_id is distinct from u.id
    ) or exists (
      select from marks m where m.world_id = ${'worldId'} and m.identity_id = f.identity_id
    ) as is_shared,
    exists (
      select from user_addresses a
      where a.world_id = ${'worldId'} and a.network = ${'network'}::text and a.seen_at > ${'dayAgo'}::timestamptz
        and a.user_id is distinct from u.id
      offset ${before(usersAtAddress)}
    ) as is_busy_address,
    exists (
      select from devices x
      where x.world_id = u.world_id and x.user_id = u.id and x.id is distinct from d.id and x.last_seen_at > ${'activeSince'}::timestamptz
        and x.last_network is not null and x.status = 'attached'
      offset ${before(activeDevices)}
    ) as is_active_elsewhere
  from (
    select coalesce(${'identityId'}::uuid, v.identity_id) as identity_id, coalesce(${'variantId'}::uuid, v.id) as variant_id,
      v.last_seen_at
    from (select 1) one
    left join lateral (
      select x.id, x.last_seen_at, coalesce(i.merged_into, i.id) as identity_id
      from variants x join identities i on i.world_id = x.world_id and i.id = x.identity_id
      where x.world_id = ${'worldId'} and x.digest = ${'digest'}::bytea limit 1
    ) v on true
  ) f
  left join lateral (
    select * from users x where x.world_id = ${'worldId'} and x.external_id = ${'externalId'} limit 1
  ) u on true
  left join lateral (
    select * from devices x
    where x.world_id = u.world_id and x.user_id = u.id and x.identity_id = f.identity_id limit 1
  ) d on true`;

/** How many rows to pass over, so that one is left where there are so many. */
function before(count: number): number {
  return Math.max(0, count - 1);
}

/** By the limits, those of the default settings and few others, and whether a key was proved. */
const selectStates = new Map<string, ReturnType<typeof createSelectState>>();

/** What a verdict needs of the database in most cases, in one round trip, at the same cost in any size of the project. */
export async function loadState(db: Database, question: StateQuestion, whose: Whose): Promise<State> {
  const { limits, keyThumbprint = null } = question;
  const withKey = keyThumbprint !== null;
  const name = `${limits.usersAtAddress} ${limits.activeDevices} ${withKey}`;
  const selectState = selectStates.get(name) ?? createSelectState(limits, withKey);
  selectStates.set(name, selectState);
  const [state] = await selectState(db, {
    worldId: question.worldId,
    externalId: question.externalId,
    digest: 'digest' in whose ? whose.digest : null,
    identityId: 'identityId' in whose ? whose.identityId : null,
    variantId: 'variantId' in whose ? whose.variantId : null,
    network: question.network ?? null,
    keyThumbprint,
    now: question.now,
    dayAgo: question.dayAgo,
    activeSince: question.activeSince,
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
