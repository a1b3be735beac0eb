import { dayMs } from '../../ground/time.js';
import type { Caller, Service } from '../../resources/service.js';
import { type LinkedUserRow, listLinkedUsers, listLinks, listRecentLinks } from './queries.js';
import { clustersOf } from './rules/clusters.js';
import {
  type LinkKind,
  type LinkRow,
  type LinkStrength,
  linkRules,
  type SharedThing,
  sharedThings,
  strongestLink,
} from './rules/links.js';

/** Accounts and shared things of one graph, together. */
export const maxLinkedNodes = 500;
/** From the account that was asked about. */
const maxSteps = 4;

export interface LinkedAccount extends LinkedUserRow {
  /** What it shares with the others. */
  readonly kinds: readonly LinkKind[];
  /** Of its strongest link; undefined for an account that shares nothing. */
  readonly strength: LinkStrength | undefined;
}

export interface LinkedAccounts {
  /** The account that was asked about first, then the strongest links. */
  readonly accounts: readonly LinkedAccount[];
  readonly shared: readonly SharedThing[];
  /** Whether there are more than could be read. */
  readonly isCut: boolean;
}

/**
 * Finds the accounts that share a key, a contact, a device, hardware or an address with an account, and the accounts
 * linked to these, at most 500 accounts and shared things. Accounts that are linked only weakly are shown, but not
 * followed further: behind one address, there would soon be everybody.
 */
export async function findLinkedAccounts(
  service: Service,
  { worldId, settings }: Caller,
  userId: string,
): Promise<LinkedAccounts> {
  const rows = new Map<string, LinkRow>();
  const followed = new Set<string>();
  let next = [userId];
  let isCut = false;
  for (let step = 0; next.length > 0; step++) {
    if (step === maxSteps || followed.size + next.length > maxLinkedNodes) {
      isCut = true;
      break;
    }
    const found = await listLinks(service.db, { worldId, userIds: next, withHardware: settings.hardware_id });
    for (const id of next) followed.add(id);
    for (const row of found) rows.set(`${row.kind} ${row.value} ${row.user_id}`, row);
    next = [...strongNeighbours(found)].filter((id) => !followed.has(id));
  }
  const { shared, userIds, isTrimmed } = withinLimit(sharedThings(rows.values()), userId);
  const users = await listLinkedUsers(service.db, worldId, [...userIds]);
  return { accounts: toAccounts(users, shared, userId), shared, isCut: isCut || isTrimmed };
}

/** Returns accounts that share something strong, unless more have it than were read. */
function* strongNeighbours(rows: readonly LinkRow[]): Iterable<string> {
  for (const { kind, hasMore, userIds } of sharedThings(rows)) {
    if (!hasMore && linkRules[kind].strength !== 'weak') yield* userIds;
  }
}

/** Keeps as many accounts and shared things as fit, the strongest first. */
function withinLimit(things: readonly SharedThing[], userId: string) {
  const userIds = new Set([userId]);
  const shared: SharedThing[] = [];
  let isTrimmed = false;
  for (const thing of things) {
    const room = maxLinkedNodes - userIds.size - shared.length - 1;
    const added = thing.userIds.filter((id) => !userIds.has(id));
    for (const id of added.slice(0, Math.max(0, room))) userIds.add(id);
    const shown = thing.userIds.filter((id) => userIds.has(id));
    if (room >= 0 && shown.length > 1) shared.push({ ...thing, userIds: shown });
    isTrimmed ||= thing.hasMore || shown.length < thing.userIds.length || room < 0;
  }
  return { userIds, shared, isTrimmed };
}

function toAccounts(users: readonly LinkedUserRow[], shared: readonly SharedThing[], userId: string): LinkedAccount[] {
  const kindsOf = new Map<string, Set<LinkKind>>();
  for (const { kind, userIds } of shared) {
    for (const id of userIds) kindsOf.set(id, (kindsOf.get(id) ?? new Set()).add(kind));
  }
  const accounts = users.map((user) => {
    const kinds = [...(kindsOf.get(user.id) ?? [])];
    return { ...user, kinds, strength: strongestLink(kinds) };
  });
  return accounts.sort((one, other) => Number(other.id === userId) - Number(one.id === userId));
}

/** Accounts of the most recently seen devices that are linked by keys, contacts or devices. */
export interface AccountCluster {
  /** The newest first, at most 500. */
  readonly accounts: readonly LinkedUserRow[];
  readonly size: number;
  readonly kinds: readonly LinkKind[];
  /** Accounts among those read that were created within the last 7 days. */
  readonly created: number;
}

/** Attached devices, and other ones, in which clusters are searched. */
export const searchedDevices = 10_000;
/** A family often shares a device. */
const minClusterSize = 3;
const maxClusters = 50;

/** Returns the largest clusters among the most recently seen devices. */
export async function listClusters({ db, now }: Service, { worldId }: Caller): Promise<AccountCluster[]> {
  const clusters = clustersOf(await listRecentLinks(db, worldId, searchedDevices), minClusterSize).slice(
    0,
    maxClusters,
  );
  const shown = clusters.map(({ userIds }) => userIds.slice(0, maxLinkedNodes));
  const users = await listLinkedUsers(db, worldId, shown.flat());
  const rows = new Map(users.map((user) => [user.id, user]));
  const weekAgo = now().getTime() - 7 * dayMs;
  return clusters.map(({ userIds, rows: links }, at) => {
    const accounts = (shown[at] ?? []).map((id) => rows.get(id)).filter((row) => row !== undefined);
    const newest = accounts.toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime());
    const created = newest.filter(({ created_at }) => created_at.getTime() > weekAgo).length;
    const kinds = [...new Set(sharedThings(links).map(({ kind }) => kind))];
    return { accounts: newest, size: userIds.length, kinds, created };
  });
}
