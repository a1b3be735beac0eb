import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { Database } from '../../service.js';
import { statement } from '../statement.js';
import type { OtherUser, StateQuestion, StateValues } from './evaluation-state.js';

const selectKeyHolders = statement<
  Pick<StateValues, 'worldId' | 'externalId' | 'network' | 'emailMark' | 'phoneMark' | 'dayAgo'> & {
    readonly keyThumbprint: string;
  },
  OtherUser
>()`
  select u.id as "userId",
    coalesce(bool_or(d.last_network = ${'network'}::text), false) as "sameAddress",
    coalesce(bool_or(u.email_mark = ${'emailMark'}::bytea), false)
      or coalesce(bool_or(u.phone_mark = ${'phoneMark'}::bytea), false) as "sameContact",
    bool_or(d.last_seen_at > ${'dayAgo'}::timestamptz) as today
  from (
    select k.device_id from device_keys k
    where k.world_id = ${'worldId'} and k.thumbprint = ${'keyThumbprint'} order by k.device_id desc limit 50
  ) k
  join devices d on d.id = k.device_id
  join users u on u.id = d.user_id
  where u.external_id <> ${'externalId'}
  group by u.id`;

/**
 * Other users whose devices hold, or held, the key that was proved; also where their fingerprints are others. Asked by
 * itself, so that an evaluation without a proof has nothing of it.
 */
export async function loadKeyHolders(db: Database, question: StateQuestion): Promise<OtherUser[]> {
  const { keyThumbprint, worldId, externalId, network = null, emailMark = null, phoneMark = null, dayAgo } = question;
  if (keyThumbprint === undefined) return [];
  return selectKeyHolders(db, { worldId, externalId, keyThumbprint, network, emailMark, phoneMark, dayAgo });
}

/** What ties a referrer to the one who was referred. */
export interface ReferrerTies {
  readonly user_id: string;
  readonly same_device: boolean;
  readonly same_address: boolean;
  readonly same_contact: boolean;
  readonly same_key: boolean;
}

/** How a referrer is tied to the device, address and contacts at hand; undefined where there is no such user. */
export async function loadReferrer(
  db: Database,
  referrer: string,
  { worldId, identityId, network, emailMark, phoneMark, keyThumbprint }: StateQuestion,
): Promise<ReferrerTies | undefined> {
  const { rows } = await sql<ReferrerTies>`
    select u.id as user_id,
      exists (select from devices d where d.user_id = u.id and d.identity_id = ${identityId ?? null}::uuid) as same_device,
      exists (
        select from user_addresses a where a.user_id = u.id and a.network = ${network ?? null}::text
      ) as same_address,
      coalesce(u.email_mark = ${emailMark ?? null}::bytea, false)
        or coalesce(u.phone_mark = ${phoneMark ?? null}::bytea, false) as same_contact,
      exists (
        select from device_keys k join devices d on d.id = k.device_id
        where k.world_id = ${worldId} and k.thumbprint = ${keyThumbprint ?? null}::text and d.user_id = u.id
      ) as same_key
    from users u
    where u.world_id = ${worldId} and (u.external_id = ${referrer} or u.id = ${isUuid(referrer) ? referrer : null}::uuid)
    order by u.external_id = ${referrer} desc limit 1
  `.execute(db);
  return rows[0];
}
