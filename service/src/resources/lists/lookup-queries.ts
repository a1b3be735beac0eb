import { fragment, statement } from '../../ground/db/statement.js';
import type { Database } from '../service.js';
import type { ListHit, ListKeys } from './rules/hits.js';

/** Values by which a statement finds the entries that apply. */
export interface ListValues {
  readonly projectId: string;
  readonly listKinds: readonly string[];
  readonly listValues: readonly string[];
  readonly ip: string | null;
  readonly now: Date;
}

const part = fragment<ListValues>();

const live = (keys: 'with device' | 'without device') => part`(
      select jsonb_agg(jsonb_build_object('id', e.id, 'kind', e.kind, 'effect', e.effect) order by e.id)
      from (
        select x.* from (
          select * from unnest(${'listKinds'}::text[], ${'listValues'}::text[]) as k (kind, value)
          ${keys === 'with device' ? part`union all select 'device', d.id::text where d.id is not null` : part``}
        ) k
        cross join lateral (
          select l.id, l.kind, l.effect, l.expires_at from list_entries l
          where l.project_id = ${'projectId'}::uuid and l.kind = k.kind and l.value = k.value and l.ended_at is null limit 1
        ) x
        union all
        select l.id, l.kind, l.effect, l.expires_at from list_entries l
        where l.project_id = ${'projectId'}::uuid and l.kind = 'address' and l.ended_at is null
          and (case when l.kind = 'address' then l.value::inet end) >>= ${'ip'}::inet
      ) e
      where e.expires_at is null or e.expires_at > ${'now'}::timestamptz
    )`;

/**
 * Expression for the entries that apply to an evaluation, null if there are none, to be part of a statement that reads more.
 * Each value takes one look-up in an index, however many entries there are.
 */
export const listHits = live('without device');

/** The same, with the entry for the device `d` of the statement. */
export const listHitsWithDevice = live('with device');

/**
 * Expression for whether the project has entries for email domains. The order makes PostgreSQL use the index. Without it,
 * if another project has many entries, it expects to find one at once, and reads all of them.
 */
export const hasDomainEntries = part`coalesce((
      select true from list_entries l
      where l.project_id = ${'projectId'}::uuid and l.kind = 'email_domain' and l.ended_at is null
      order by l.value limit 1
    ), false)`;

const selectHits = statement<ListValues, { hits: ListHit[] | null }>()`select ${listHits} as hits`;

/** Returns the entries for some values, and for an address or a network: also those for ranges that contain it. */
export async function findListHits(
  db: Database,
  { projectId, now }: Pick<ListValues, 'projectId' | 'now'>,
  { kinds, values, ip = null }: ListKeys & { readonly ip?: string | null | undefined },
): Promise<ListHit[]> {
  const [row] = await selectHits(db, { projectId, listKinds: kinds, listValues: values, ip, now });
  return row?.hits ?? [];
}
