import { lowestIdAt, startOfMonth } from '../../ground/db/partitions.js';
import { fragment, statement, uuidLiteral } from '../../ground/db/statement.js';
import type { StoredAddress } from '../../ground/vocabulary.js';
import {
  type CountsLookup,
  type CountsRow,
  type PendingValues,
  selectCounts,
  selectCountsWithPending,
} from '../../recognition/velocity/queries.js';
import type { Database } from '../../resources/service.js';
import type { Access } from '../rules/history.js';

/** Number of accesses that are read. More would say little about what a person does now. */
const maxAccesses = 25;

/** With fewer recent accesses, older ones are read too. */
const minRecent = 5;

/** Number of whole months before the current one whose accesses are recent. */
const recentMonths = 3;

/** Counting stops here: more users of one address or device make no difference to a score. */
const mostCounted = 50;

/** IDs of the recent months. */
interface Recent {
  readonly from: string;
  readonly to: string;
}

/** User, address and device whose past is read. */
export interface HistoryLookup {
  readonly worldId: string;
  readonly userId: string | null;
  readonly network: string | null;
  readonly identityId: string;
}

/** An access as a JSON array, which takes less time than an object. */
type AccessRow = readonly [
  at: number,
  identityId: string,
  variantId: string,
  hardwareKey: string | null,
  os: string | null,
  browser: string | null,
  network: string | null,
  address: StoredAddress | null,
  isProven: boolean,
];

export type PastLookup = HistoryLookup & CountsLookup & PendingValues;

interface PastRow {
  readonly history: readonly AccessRow[] | null;
  readonly velocity: readonly CountsRow[] | null;
  readonly usersAtAddress: number;
  readonly usersOfDevice: number;
}

const part = fragment<HistoryLookup>();

/** The recent months are literals, so that the plan leaves out other partitions. */
const selectHistory = (recent?: Recent) => part`
  select json_agg(json_build_array(
    date_part('epoch', e.created_at) * 1000, coalesce(i.merged_into, e.identity_id), e.variant_id, v.hardware_key,
    d.info->>'os', d.info->>'browser', e.network, e.address, e.proof is not distinct from 'valid'
  ) order by e.created_at desc)
  from (
    select x.created_at, x.identity_id, x.variant_id, x.device_id, x.network, x.address, x.proof,
      x.feedback_label
    from evaluations x
    where x.world_id = ${'worldId'}::uuid and x.user_id = ${'userId'}::uuid and x.accepted
      ${recent ? part`and x.id >= ${uuidLiteral(recent.from)} and x.id < ${uuidLiteral(recent.to)}` : part``}
    order by x.created_at desc limit ${maxAccesses}
  ) e
  left join identities i on i.world_id = ${'worldId'}::uuid and i.id = e.identity_id
  left join variants v on v.world_id = ${'worldId'}::uuid and v.id = e.variant_id
  left join devices d on d.world_id = ${'worldId'}::uuid and d.id = e.device_id
  where d.status is distinct from 'blocked' and e.feedback_label is distinct from 'fraud'`;

/** Reads everything about the past in one round trip. Each part uses an index and stops at its limit. */
const createSelectPast = (recent: Recent, hasPending: boolean) => statement<PastLookup, PastRow>()`
  select
    (${selectHistory(recent)}) as history,
    (${hasPending ? selectCountsWithPending : selectCounts}) as velocity,
    (
      select count(*)::int from (
        select from user_addresses a
        where a.world_id = ${'worldId'}::uuid and a.network = ${'network'}::text limit ${mostCounted}
      ) counted
    ) as "usersAtAddress",
    (
      select count(*)::int from (
        select from devices x
        where x.world_id = ${'worldId'}::uuid and x.identity_id = ${'identityId'}::uuid limit ${mostCounted}
      ) counted
    ) as "usersOfDevice"`;

const selectWholeHistory = statement<HistoryLookup, Pick<PastRow, 'history'>>()`select (${selectHistory()}) as history`;

type SelectPast = ReturnType<typeof createSelectPast>;

/** The statements for the current month. */
let current: { readonly from: string; readonly stored: SelectPast; readonly withPending: SelectPast } | undefined;

function selectPastAt(now: Date, hasPending: boolean): SelectPast {
  const from = lowestIdAt(startOfMonth(now, recentMonths));
  if (current?.from !== from) {
    const recent = { from, to: lowestIdAt(startOfMonth(now, -1)) };
    current = { from, stored: createSelectPast(recent, false), withPending: createSelectPast(recent, true) };
  }
  return hasPending ? current.withPending : current.stored;
}

/** What was read, with the history as accesses. */
export interface StoredPast extends Omit<PastRow, 'history' | 'velocity'> {
  readonly history: readonly Access[];
  readonly velocity: readonly CountsRow[];
}

interface PastOptions {
  readonly now: Date;
  readonly userSince: Date | null;
  /** Whether the lookup has counts that are not stored. */
  readonly hasPending: boolean;
}

/**
 * Reads a user's newest accesses and the counts of an evaluation's subjects. Accesses of more than three months ago are
 * only read if the user is older and there are few newer ones.
 */
export async function findPast(
  db: Database,
  lookup: PastLookup,
  { now, userSince, hasPending }: PastOptions,
): Promise<StoredPast> {
  const [row] = await selectPastAt(now, hasPending)(db, lookup);
  if (!row) throw new Error('The query for the past of an evaluation returned no row.');
  const { history, velocity, ...counts } = row;
  const isShort =
    (history?.length ?? 0) < minRecent && userSince !== null && userSince < startOfMonth(now, recentMonths);
  const [whole] = isShort ? await selectWholeHistory(db, lookup) : [row];
  return { ...counts, history: (whole?.history ?? []).map(toAccess), velocity: velocity ?? [] };
}

function toAccess([
  at,
  identityId,
  variantId,
  hardwareKey,
  os,
  browser,
  network,
  address,
  isProven,
]: AccessRow): Access {
  const info = address ?? undefined;
  return { at: new Date(at), identityId, variantId, hardwareKey, os, browser, network, info, isProven };
}
