import type { DeviceKind, DeviceStatus, UserStatus } from 'whorl/wire';
import { fragment, statement } from '../../ground/db/statement.js';
import { identityOfKey, variantOfDigest } from '../../recognition/linking/queries/recognition.js';
import { hasDomainEntries, type ListValues, listHitsWithDevice } from '../../resources/lists/lookup-queries.js';
import type { ListHit, ListKeys } from '../../resources/lists/rules/hits.js';
import type { Database } from '../../resources/service.js';

/** Parameters for reading the state that an evaluation is judged by. */
export interface StateLookup {
  readonly worldId: string;
  readonly projectId: string;
  readonly externalId: string;
  readonly hardwareKey: string | undefined;
  readonly network: string | undefined;
  /** Address that may be on a list, also if it may be shared. */
  readonly ip: string | undefined;
  readonly listKeys: ListKeys;
  /** All blind indexes under which the contact may be stored. */
  readonly emailMarks: readonly Uint8Array[] | undefined;
  readonly phoneMarks: readonly Uint8Array[] | undefined;
  /** Thumbprint of the key in a valid proof. */
  readonly keyThumbprint: string | undefined;
  readonly now: Date;
  readonly dayAgo: Date;
  readonly activeSince: Date;
  readonly limits: StateLimits;
}

/** A recognised identity or, before recognition, the digest of the fingerprint, from which the identity is looked up. */
export type IdentityOrDigest =
  | { readonly identityId: string; readonly variantId: string | undefined }
  | { readonly digest: Uint8Array };

/** Minimum numbers that matter for a verdict. Smaller numbers are not counted. */
export interface StateLimits {
  /** Number of other users at the address within a day. */
  readonly usersAtAddress: number;
  /** Number of other devices of the user that are active at the same time. */
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
  /** The requested identity and variant, or the ones that have the digest; null if it is not stored. */
  readonly identity_id: string | null;
  readonly variant_id: string | null;
  /** When the variant of the digest was last seen. */
  readonly variant_seen_at: Date | null;
  /** Whether the variant of the digest is one of the user's devices. */
  readonly is_own: boolean | null;
  /** Identity of the newest device with the proven key; null if there is none. */
  readonly key_identity_id: string | null;
  readonly user_id: string | null;
  readonly external_id: string | null;
  readonly user_status: UserStatus | null;
  /** When the user was created. */
  readonly user_since: Date | null;
  /** Counters of revocations: see UserTable and DeviceTable. */
  readonly revocations: number | null;
  readonly suspension: number | null;
  /** When the user last did not recognise a device or a change. */
  readonly disowned_at: Date | null;
  readonly email: Uint8Array | null;
  readonly phone: Uint8Array | null;
  readonly revocation: number | null;
  /** Whether other users have devices of this identity. */
  readonly has_other_users: boolean;
  /** Whether erased users had devices of this identity. */
  readonly has_marks: boolean;
  /** Whether the number of other active devices reaches its limit. */
  readonly is_active_elsewhere: boolean;
  /** Entries of lists that apply, apart from those for the domain of an email address that is not in the request. */
  readonly list_hits: readonly ListHit[] | null;
  /** Whether lists name email domains. */
  readonly lists_domains: boolean;
}

/** Fields of the lookup as parameters of a statement, with null for undefined. */
export type QuestionValues<Name extends keyof StateLookup> = {
  readonly [Each in Name]-?: Exclude<StateLookup[Each], undefined> | null;
};

type StateValues = QuestionValues<'worldId' | 'externalId' | 'network' | 'keyThumbprint' | 'now' | 'activeSince'> &
  ListValues & {
    readonly digest: Uint8Array | null;
    readonly identityId: string | null;
    readonly variantId: string | null;
  };

const part = fragment<StateValues>();
const knowsKey = part`exists (
      select from device_keys k
      where k.world_id = ${'worldId'} and k.device_id = d.id and k.thumbprint = ${'keyThumbprint'}::text and k.revoked_at is null
    )`;

/**
 * Each part uses an index and counts nothing. For data that most evaluations do not have, it only returns whether there
 * is any; evaluation-ties.ts then reads it. Planning costs as much as execution, for each part of the statement. The
 * `limit 1` clauses tell the planner, which has no statistics for it, that a user and its device are at most one row.
 * The lookup's limits are literals for the same reason: with parameters the planner expects so many rows that it
 * plans again for the values of each execution.
 */
const createSelectState = ({ activeDevices }: Pick<StateLimits, 'activeDevices'>, withKey: boolean) =>
  statement<StateValues, State>()`
  select
    f.identity_id, f.variant_id, f.last_seen_at as variant_seen_at, f.is_own,
    ${withKey ? part`(${identityOfKey})` : part`null::uuid`} as key_identity_id,
    u.id as user_id, u.external_id, u.status as user_status, u.created_at as user_since, u.revocations, u.suspension, u.disowned_at, u.email, u.phone,
    d.id as device_id, d.status as device_status, d.kind as device_kind, d.trusted, d.whitelisted, d.auto_detached,
    d.proven, d.revocation,
    exists (
      select from device_variants k
      where k.world_id = ${'worldId'} and k.device_id = d.id and k.variant_id = f.variant_id
    ) as knows_variant,
    ${withKey ? knowsKey : part`false`} as knows_key,
    exists (
      select from user_addresses a
      where a.world_id = ${'worldId'} and a.user_id = u.id and a.network = ${'network'}::text and a.trusted_until > ${'now'}::timestamptz
    ) as address_trusted,
    exists (
      select from devices x
      where x.world_id = ${'worldId'} and x.identity_id = f.identity_id and x.user_id is distinct from u.id
    ) as has_other_users,
    exists (
      select from marks m where m.world_id = ${'worldId'} and m.identity_id = f.identity_id
    ) as has_marks,
    exists (
      select from devices x
      where x.world_id = ${'worldId'} and x.user_id = u.id and x.id is distinct from d.id and x.last_seen_at > ${'activeSince'}::timestamptz
        and x.last_network is not null and x.status = 'attached'
      offset ${offsetOf(activeDevices)}
    ) as is_active_elsewhere,
    ${listHitsWithDevice} as list_hits,
    ${hasDomainEntries} as lists_domains
  from (select 1) one
  left join lateral (
    select * from users x where x.world_id = ${'worldId'} and x.external_id = ${'externalId'} limit 1
  ) u on true
  left join lateral (
    select coalesce(${'identityId'}::uuid, v.identity_id) as identity_id, coalesce(${'variantId'}::uuid, v.id) as variant_id,
      v.last_seen_at, v.is_own
    from (select ${'digest'}::bytea as digest) q left join lateral (${variantOfDigest}) v on true
  ) f on true
  left join lateral (
    select * from devices x
    where x.world_id = ${'worldId'} and x.user_id = u.id and x.identity_id = f.identity_id limit 1
  ) d on true`;

/** Returns the offset of a row that exists if there are at least `count` rows. */
function offsetOf(count: number): number {
  return Math.max(0, count - 1);
}

/** Statements by their limits, which have few distinct values, and by whether there is a valid proof. */
const selectStates = new Map<string, ReturnType<typeof createSelectState>>();

/**
 * Reads the state that most verdicts need, in one round trip. The cost does not depend on the size of the project.
 */
export async function loadState(db: Database, lookup: StateLookup, identity: IdentityOrDigest): Promise<State> {
  const { limits, keyThumbprint = null } = lookup;
  const withKey = keyThumbprint !== null;
  const name = `${limits.activeDevices} ${withKey}`;
  const selectState = selectStates.get(name) ?? createSelectState(limits, withKey);
  selectStates.set(name, selectState);
  const [state] = await selectState(db, {
    worldId: lookup.worldId,
    externalId: lookup.externalId,
    digest: 'digest' in identity ? identity.digest : null,
    identityId: 'identityId' in identity ? identity.identityId : null,
    variantId: 'variantId' in identity ? (identity.variantId ?? null) : null,
    network: lookup.network ?? null,
    keyThumbprint,
    projectId: lookup.projectId,
    listKinds: lookup.listKeys.kinds,
    listValues: lookup.listKeys.values,
    ip: lookup.ip ?? null,
    now: lookup.now,
    activeSince: lookup.activeSince,
  });
  if (!state) throw new Error('The query for the state of an evaluation returned no row.');
  return state;
}
