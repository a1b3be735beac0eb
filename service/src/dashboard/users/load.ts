import { isIP } from 'node:net';
import { validate as isUuid } from 'uuid';
import type { Device, User, UserStatus, UserSummary } from 'whorl/wire';
import { readAddress } from '../../addresses/addresses.js';
import { emailContext } from '../../audit/audit.js';
import { statusAt } from '../../challenges/rules/states.js';
import { toDevice, toUser, toUserSummary } from '../../challenges/views.js';
import type { AdminActionName } from '../../db/schema/index.js';
import { findDevice } from '../../devices/queries/devices.js';
import { isStorable } from '../../http/schemas/fields.js';
import type { Caller, Service } from '../../service.js';
import { findUser, findUserById, type UserRow } from '../../users/queries/users.js';
import { parseEmail, parsePhone } from '../../users/rules/contacts.js';
import { type ListedChallengeRow, listChallengesOfUser } from '../challenges/queries.js';
import { type Part, type Position, partOf, partSize, printPosition, readPosition } from '../position-rules.js';
import {
  listAddressesOfUser,
  listDevicesOfUser,
  listTimeline,
  type TimelineRow,
  type UserAddressRow,
} from './one-user-queries.js';
import { listUserRows, listUsersAtAddress, listUsersNamedLike, listUsersOfContact } from './queries.js';

/** A user as a list shows it; its contacts are masked. */
export interface ListedUser extends UserSummary {
  readonly status: UserStatus;
  readonly createdAt: Date;
  /** When it was seen last at the address that was searched for. */
  readonly seenAt?: Date | undefined;
}

export function toListedUser(service: Service, row: UserRow, seenAt?: Date): ListedUser {
  return { ...toUserSummary(service, row), status: row.status, createdAt: row.created_at, seenAt };
}

/** Reads the users of a world, newest first. */
export async function listUsers(service: Service, { worldId }: Caller, from: Position): Promise<Part<ListedUser>> {
  const found = await listUserRows(service.db, worldId, from, partSize + 1);
  const { rows, next } = partOf(found, ({ id, created_at }) => ({ at: created_at, id }));
  return { rows: rows.map((row) => toListedUser(service, row)), next };
}

/** What a search for users found. */
export interface FoundUsers {
  /** How the text was read. */
  readonly as: 'name' | 'address';
  readonly users: readonly ListedUser[];
  /** Where the search goes on; a text for `after`. */
  readonly next?: string | undefined;
}

/** As long as a mail address may be. Names are shorter. */
const longestText = 320;
/** Of one contact: so many accounts are found by it at most. */
const mostOfContact = 50;

/** Returns a typed text as one line, or undefined if it is empty. */
export function readSearch(typed: string | null, most = longestText): string | undefined {
  const text = (typed ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most);
  return text !== '' && isStorable(text) ? text : undefined;
}

/**
 * Finds users by an address they were seen at; or else by the id of theirs or of a device, by their mail address or phone
 * number, and by the beginning of the customer's identifier, with the exact one first.
 *
 * @param after Where to go on: `next` of the part before.
 */
export async function searchUsers(
  service: Service,
  caller: Caller,
  text: string,
  after: string | null,
): Promise<FoundUsers> {
  const address = text.replace(/\/64$/, '');
  if (isIP(address) !== 0 && !address.includes('%')) return searchByAddress(service, caller, address, after);
  const search = { beginning: text, after: after ?? '', limit: partSize + 1 };
  const [exact, alike] = await Promise.all([
    after === null ? findExactly(service, caller, text) : [],
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

async function findExactly(service: Service, caller: Caller, text: string): Promise<UserRow[]> {
  const { db, vault } = service;
  const { worldId } = caller;
  const email = parseEmail(text);
  const phone = parsePhone(text, caller.settings.default_country);
  const found = await Promise.all([
    findUser(db, worldId, text),
    findUserOfDevice(service, caller, text),
    listUsersOfContact(db, worldId, 'email_mark', {
      marks: email ? vault.blindIndexes(email.normalised, 'user.email') : [],
      limit: mostOfContact,
    }),
    listUsersOfContact(db, worldId, 'phone_mark', {
      marks: phone === undefined ? [] : vault.blindIndexes(phone, 'user.phone'),
      limit: mostOfContact,
    }),
  ]);
  const users = found.flat().filter((user) => user !== undefined);
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

async function findUserOfDevice({ db }: Service, { worldId }: Caller, text: string): Promise<UserRow | undefined> {
  const device = isUuid(text) ? await findDevice(db, worldId, text) : undefined;
  return device && findUserById(db, worldId, device.user_id);
}

/** Where each list of the page begins. */
export interface UserPageRequest {
  readonly devices: Position;
  readonly challenges: Position;
  readonly timeline: Position;
}

/** What the page of a user shows. Contacts are masked. */
export interface ShownUser {
  readonly user: User;
  readonly devices: Part<Device>;
  readonly addresses: readonly UserAddressRow[];
  /** Whether there are addresses that are older still. */
  readonly hasMoreAddresses: boolean;
  readonly challenges: Part<ListedChallengeRow>;
  readonly timeline: Part<TimelineEntry>;
}

/** An entry of the timeline. Actions of administrators name the administrator. */
export type TimelineEntry =
  | Exclude<TimelineRow, { readonly kind: 'admin_action' }>
  | (Omit<Extract<TimelineRow, { readonly kind: 'admin_action' }>, 'detail'> & {
      /** `admin`: their mail address; undefined where they are no administrator any more. */
      readonly detail: {
        readonly action: AdminActionName;
        readonly subject: string;
        readonly admin: string | undefined;
      };
    });

const mostAddresses = 50;
const fewChallenges = 10;

/** Reads a user with all that is known about them. Undefined if the world has no user with this ID. */
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
    listAddressesOfUser(db, row, mostAddresses + 1),
    listChallengesOfUser(db, row, from.challenges, fewChallenges + 1),
    listTimeline(db, row, from.timeline, partSize + 1),
  ]);
  const devicePart = partOf(devices, ({ id, last_seen_at }) => ({ at: last_seen_at, id }));
  const challengePart = partOf(challenges, positionOfMade, fewChallenges);
  const timelinePart = partOf(timeline, ({ at, id }) => ({ at, id }));
  return {
    user: toUser(service, row),
    devices: { ...devicePart, rows: devicePart.rows.map((device) => toDevice(caller, device, row)) },
    addresses: addresses.slice(0, mostAddresses),
    hasMoreAddresses: addresses.length > mostAddresses,
    challenges: { ...challengePart, rows: challengePart.rows.map((one) => withStatus(service, one)) },
    timeline: { ...timelinePart, rows: timelinePart.rows.map((entry) => toEntry(service, entry)) },
  };
}

function positionOfMade({ id, created_at }: ListedChallengeRow): Position {
  return { at: created_at, id };
}

/** Returns a challenge with its current status. */
export function withStatus({ now }: Service, row: ListedChallengeRow): ListedChallengeRow {
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
