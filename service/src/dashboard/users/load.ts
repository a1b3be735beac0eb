import { isIP } from 'node:net';
import { validate as isUuid } from 'uuid';
import type { AddressInfo, Device, User, UserStatus, UserSummary } from 'whorl/wire';
import {
  type Part,
  type Position,
  partOf,
  partSize,
  positionOfCreation,
  printPosition,
  readPosition,
  type ScannedPart,
  scannedPart,
} from '../../ground/db/position-rules.js';
import type { AdminActionName } from '../../ground/db/schema/index.js';
import { isStorable } from '../../ground/text-rules.js';
import { type AddressCredit, creditsOf } from '../../resources/addresses/address-book.js';
import { readAddress } from '../../resources/addresses/addresses.js';
import { emailContext } from '../../resources/audit/audit.js';
import { statusAt } from '../../resources/challenges/rules/states.js';
import type { ListedChallengeRow } from '../../resources/challenges/search/queries.js';
import { toDevice } from '../../resources/devices/present.js';
import { findDevice } from '../../resources/devices/queries/devices.js';
import type { Caller, Service } from '../../resources/service.js';
import { toUser, toUserSummary } from '../../resources/users/present.js';
import { findUser, findUserById, type UserRow } from '../../resources/users/queries/users.js';
import { parseEmail, parsePhone } from '../../resources/users/rules/contacts.js';
import { findMatchingUsers, type UserQuery } from '../../resources/users/search/search.js';
import { listChallengesOfUser } from '../challenges/queries.js';
import {
  listAddressesOfUser,
  listDevicesOfUser,
  listTimeline,
  type TimelineRow,
  type UserAddressRow,
} from './one-user-queries.js';
import { listUsersAtAddress, listUsersNamedLike, listUsersOfContact } from './queries.js';

/** User in a list. Contacts are masked. */
export interface ListedUser extends UserSummary {
  readonly status: UserStatus;
  readonly createdAt: Date;
  /** When the user was last seen at the IP address that was searched for. */
  readonly seenAt?: Date | undefined;
}

function toListedUser(service: Service, row: UserRow, seenAt?: Date): ListedUser {
  return { ...toUserSummary(service, row), status: row.status, createdAt: row.created_at, seenAt };
}

/** Reads users that match all filters, newest first. */
export async function listUsers(
  service: Service,
  caller: Caller,
  query: UserQuery,
  from: Position,
): Promise<ScannedPart<ListedUser>> {
  const { rows, ...part } = scannedPart(
    await findMatchingUsers(service, caller, query, { from, limit: partSize + 1 }),
    positionOfCreation,
  );
  return { ...part, rows: rows.map((row) => toListedUser(service, row)) };
}

/** Result of a search for users. */
export interface FoundUsers {
  /** How the text was interpreted. */
  readonly as: 'name' | 'address';
  readonly users: readonly ListedUser[];
  /** Start of the next page, passed as `after`. */
  readonly next?: string | undefined;
}

/** Maximum length of an email address. Names are shorter. */
const maxSearchLength = 320;
/** Maximum number of users found by one contact. */
const maxUsersPerContact = 50;

/** Returns a search text on one line, or undefined if it is empty. */
export function readSearch(typed: string | null, maxLength = maxSearchLength): string | undefined {
  const text = (typed ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, maxLength);
  return text !== '' && isStorable(text) ? text : undefined;
}

/**
 * Finds users who were seen at an IP address. Any other text is searched as the ID of a user or device, an
 * email address, a phone number, and the beginning of an external ID. Exact matches come first.
 *
 * @param after `next` of the previous page.
 */
export async function searchUsers(
  service: Service,
  caller: Caller,
  text: string,
  after: string | null,
): Promise<FoundUsers> {
  const address = text.replace(/\/64$/, '');
  if (isIP(address) !== 0 && !address.includes('%')) return searchByAddress(service, caller, address, after);
  const search = { prefix: text, after: after ?? '', limit: partSize + 1 };
  const [exact, alike] = await Promise.all([
    after === null ? findExactMatches(service, caller, text) : [],
    listUsersNamedLike(service.db, caller.worldId, search),
  ]);
  const shown = alike.slice(0, partSize);
  const ids = new Set(exact.map(({ id }) => id));
  const users = [...exact, ...shown.filter(({ id }) => !ids.has(id))].map((row) => toListedUser(service, row));
  return { as: 'name', users, next: alike.length > partSize ? shown.at(-1)?.external_id : undefined };
}

async function searchByAddress(
  service: Service,
  { worldId }: Caller,
  typed: string,
  after: string | null,
): Promise<FoundUsers> {
  const network = readAddress(typed)?.network ?? typed;
  const found = await listUsersAtAddress(service.db, worldId, network, {
    from: readPosition(after),
    limit: partSize + 1,
  });
  const { rows, next } = partOf(found, ({ id, seen_at }) => ({ at: seen_at, id }));
  return {
    as: 'address',
    users: rows.map((row) => toListedUser(service, row, row.seen_at)),
    next: next && printPosition(next),
  };
}

async function findExactMatches(service: Service, caller: Caller, text: string): Promise<UserRow[]> {
  const { db, vault } = service;
  const { worldId } = caller;
  const email = parseEmail(text);
  const phone = parsePhone(text, caller.settings.default_country);
  const found = await Promise.all([
    findUser(db, worldId, text),
    findUserOfDevice(service, caller, text),
    listUsersOfContact(db, worldId, 'email_mark', {
      blindIndexes: email ? vault.blindIndexes(email.normalised, 'user.email') : [],
      limit: maxUsersPerContact,
    }),
    listUsersOfContact(db, worldId, 'phone_mark', {
      blindIndexes: phone === undefined ? [] : vault.blindIndexes(phone, 'user.phone'),
      limit: maxUsersPerContact,
    }),
  ]);
  const users = found.flat().filter((user) => user !== undefined);
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

async function findUserOfDevice({ db }: Service, { worldId }: Caller, text: string): Promise<UserRow | undefined> {
  const device = isUuid(text) ? await findDevice(db, worldId, text) : undefined;
  return device && findUserById(db, worldId, device.user_id);
}

/** Start of each list of the page. */
export interface UserPageRequest {
  readonly devices: Position;
  readonly challenges: Position;
  readonly timeline: Position;
}

/** Network of a user, with what is known about its first address now. */
export interface ShownAddress extends UserAddressRow {
  readonly info: AddressInfo | undefined;
}

/** Data of a user's page. Contacts are masked. */
export interface ShownUser {
  readonly user: User;
  readonly devices: Part<Device>;
  readonly addresses: readonly ShownAddress[];
  readonly credits: readonly AddressCredit[];
  /** Whether older addresses exist that are not shown. */
  readonly hasMoreAddresses: boolean;
  readonly challenges: Part<ListedChallengeRow>;
  readonly timeline: Part<TimelineEntry>;
}

/** Entry of the timeline. Actions of administrators name the administrator. */
export type TimelineEntry =
  | Exclude<TimelineRow, { readonly kind: 'admin_action' }>
  | (Omit<Extract<TimelineRow, { readonly kind: 'admin_action' }>, 'detail'> & {
      /** `admin`: email address of the administrator. Undefined if the account was removed. */
      readonly detail: {
        readonly action: AdminActionName;
        readonly subject: string;
        readonly admin: string | undefined;
      };
    });

const maxAddresses = 50;
const challengesPerPage = 10;

/**
 * Reads a user with their devices, challenges and timeline. Returns undefined if the world has no user with this ID.
 */
export async function showUser(
  service: Service,
  caller: Caller,
  id: string,
  from: UserPageRequest,
): Promise<ShownUser | undefined> {
  const { db } = service;
  const row = isUuid(id) ? await findUserById(db, caller.worldId, id) : undefined;
  if (!row) return undefined;
  const [devices, addresses, challenges, timeline] = await Promise.all([
    listDevicesOfUser(db, row, from.devices, partSize + 1),
    listAddressesOfUser(db, row, maxAddresses + 1),
    listChallengesOfUser(db, row, from.challenges, challengesPerPage + 1),
    listTimeline(db, row, from.timeline, partSize + 1),
  ]);
  const devicePart = partOf(devices, ({ id, last_seen_at }) => ({ at: last_seen_at, id }));
  const challengePart = partOf(challenges, positionOf, challengesPerPage);
  const timelinePart = partOf(timeline, ({ at, id }) => ({ at, id }));
  return {
    user: toUser(service, row),
    devices: { ...devicePart, rows: devicePart.rows.map((device) => toDevice(caller, device, row)) },
    addresses: addresses.slice(0, maxAddresses).map((address) => withInfo(service, address)),
    credits: creditsOf(service.addresses),
    hasMoreAddresses: addresses.length > maxAddresses,
    challenges: { ...challengePart, rows: challengePart.rows.map((one) => withStatus(service, one)) },
    timeline: { ...timelinePart, rows: timelinePart.rows.map((entry) => toEntry(service, entry)) },
  };
}

function withInfo({ addresses }: Service, row: UserAddressRow): ShownAddress {
  const [first = ''] = row.network.split('/');
  return { ...row, info: addresses.lookUp(first) };
}

function positionOf({ id, created_at }: ListedChallengeRow): Position {
  return { at: created_at, id };
}

/** Returns a challenge with its current status. */
function withStatus({ now }: Service, row: ListedChallengeRow): ListedChallengeRow {
  return { ...row, status: statusAt(row, now()) };
}

function toEntry({ vault, now }: Service, row: TimelineRow): TimelineEntry {
  if (row.kind === 'admin_action') {
    const { action, subject, admin_email } = row.detail;
    const admin = admin_email ? vault.open(Buffer.from(admin_email, 'hex'), emailContext) : undefined;
    return { ...row, detail: { action, subject, admin } };
  }
  if (row.kind !== 'challenge') return row;
  const lifetime = { status: row.detail.status, expires_at: new Date(row.detail.expires_at) };
  return { ...row, detail: { ...row.detail, status: statusAt(lifetime, now()) } };
}
