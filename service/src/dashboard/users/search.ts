import { isIP } from 'node:net';
import { validate as isUuid } from 'uuid';
import { readAddress } from '../../addresses/addresses.js';
import { findDevice } from '../../devices/queries/devices.js';
import { isStorable } from '../../http/schemas/fields.js';
import type { Caller, Service } from '../../service.js';
import { findUser, findUserById, type UserRow } from '../../users/queries/users.js';
import { parseEmail, parsePhone } from '../../users/rules/contacts.js';
import { partOf, partSize, printPosition, readPosition } from '../position-rules.js';
import { type ListedUser, toListedUser } from './load.js';
import { listUsersAtAddress, listUsersNamedLike, listUsersOfContact } from './queries.js';

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

/** A text that somebody typed, in one line; undefined where nothing is left of it. */
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
  const found = await listUsersAtAddress(service.db, worldId, network, readPosition(after), partSize + 1);
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
      marks: email ? vault.marks(email.normalised, 'user.email') : [],
      limit: mostOfContact,
    }),
    listUsersOfContact(db, worldId, 'phone_mark', {
      marks: phone === undefined ? [] : vault.marks(phone, 'user.phone'),
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
