import { statement } from '../../ground/db/statement.js';
import { type ListValues, listHits } from '../../resources/lists/lookup-queries.js';
import type { ListHit } from '../../resources/lists/rules/hits.js';
import type { Database } from '../../resources/service.js';
import type { DeviceState } from '../queries/evaluation-state.js';

/** Parameters for reading the browser's own history for a claim. */
export interface ClaimStateLookup extends ListValues {
  readonly worldId: string;
  /** User as named by the page, by the customer's ID. */
  readonly user: string;
  readonly identityId: string;
  readonly variantId: string | null;
  readonly network: string | null;
  readonly keyThumbprint: string | null;
}

/** The named user's device on this browser, if it has one, in one row. */
export interface ClaimState extends DeviceState {
  readonly user_id: string | null;
  readonly revocations: number | null;
  /** Whether other users have or had devices of this identity. */
  readonly is_shared: boolean;
  /** Entries of lists for what the request shows. */
  readonly list_hits: readonly ListHit[] | null;
}

const selectClaimState = statement<ClaimStateLookup, ClaimState>()`
  select u.id as user_id, u.revocations,
    d.id as device_id, d.status as device_status, d.kind as device_kind, d.trusted, d.whitelisted, d.auto_detached,
    d.proven,
    exists (
      select from device_variants k
      where k.world_id = ${'worldId'} and k.device_id = d.id and k.variant_id = ${'variantId'}::uuid
    ) as knows_variant,
    exists (
      select from device_keys k
      where k.world_id = ${'worldId'} and k.device_id = d.id and k.thumbprint = ${'keyThumbprint'}::text and k.revoked_at is null
    ) as knows_key,
    exists (
      select from user_addresses a
      where a.world_id = ${'worldId'} and a.user_id = d.user_id and a.network = ${'network'}::text and a.trusted_until > ${'now'}::timestamptz
    ) as address_trusted,
    exists (
      select from devices x where x.world_id = ${'worldId'} and x.identity_id = ${'identityId'}
        and x.user_id is distinct from d.user_id
    ) or exists (
      select from marks m where m.world_id = ${'worldId'} and m.identity_id = ${'identityId'}
    ) as is_shared,
    ${listHits} as list_hits
  from (select 1) one
  left join lateral (
    select x.id, x.revocations from users x where x.world_id = ${'worldId'} and x.external_id = ${'user'}
  ) u on true
  left join lateral (
    select * from devices x
    where x.world_id = ${'worldId'} and x.user_id = u.id and x.identity_id = ${'identityId'}::uuid limit 1
  ) d on true`;

/**
 * Reads the state that a claim's verdict may depend on. It makes the same few look-ups whether or not the named user
 * exists.
 */
export async function loadClaimState(db: Database, lookup: ClaimStateLookup): Promise<ClaimState> {
  const [state] = await selectClaimState(db, lookup);
  if (!state) throw new Error('The query for the state of a claim returned no row.');
  return state;
}
