import type { AddressInfo, Device, ListEntry } from 'whorl/wire';
import { disposableDomainOf } from '../../evaluation/rules/reasons/disposable-email.js';
import type { ListedEvaluationRow } from '../../evaluation/search/queries.js';
import { searchEvaluations } from '../../evaluation/search/search.js';
import { type Part, type Position, partOf, partSize, start } from '../../ground/db/position-rules.js';
import { countsOfValue } from '../../recognition/velocity/counts-of-value.js';
import type { Counts } from '../../recognition/velocity/rules/counts.js';
import { type AddressCredit, creditsOf } from '../../resources/addresses/address-book.js';
import { listHardwareDevices } from '../../resources/devices/hardware.js';
import { toDevice } from '../../resources/devices/present.js';
import { entriesFor } from '../../resources/lists/read-entries.js';
import type { Caller, Service } from '../../resources/service.js';
import { parseEmail } from '../../resources/users/rules/contacts.js';
import { mailDomainsOf } from '../../resources/users/rules/mailbox.js';
import { listUsersAtAddress, type UserAtAddressRow } from '../users/queries.js';
import { findNamedDevices, findSealedEmails } from './queries.js';
import { isWithinDomain, type Subject, type Summary, subjectFilter, summarise } from './rules.js';

/** Maximum number of evaluations that are counted. For an email domain, the addresses of their users are decrypted. */
export const maxCounted = 2000;
/** Number of devices that are listed. */
const maxDevices = 10;
/** Number of evaluations that are listed. */
const newestCount = 10;

/** Start of each list of the page. */
export interface SubjectPageRequest {
  /** Only older evaluations are counted. */
  readonly from: Position;
  readonly users: Position;
}

/** Data of the page of a subject. */
export interface ShownSubject {
  readonly subject: Subject;
  /** What is known about an address now. */
  readonly info: AddressInfo | undefined;
  readonly credits: readonly AddressCredit[];
  /** For an email domain: the domain on the list of disposable ones. */
  readonly disposable: string | undefined;
  /** Counts of the last day. Undefined if the subject is not counted. */
  readonly lastDay: Counts | undefined;
  readonly entries: readonly ListEntry[];
  readonly summary: Summary;
  readonly newest: readonly ListedEvaluationRow[];
  /** Where counting continues. Undefined if all stored evaluations were searched. */
  readonly next: Position | undefined;
  /** Most recently seen first. For hardware: the newest first. */
  readonly devices: readonly Device[];
  /** Number of devices, if it is known beyond those shown. */
  readonly deviceCount: number | undefined;
  /** For an address: all users who were ever seen there. Undefined for other kinds. */
  readonly usersThere: Part<UserAtAddressRow> | undefined;
}

/** Reads what is known about a subject, and counts its newest evaluations. */
export async function showSubject(
  service: Service,
  caller: Caller,
  subject: Subject,
  from: SubjectPageRequest,
): Promise<ShownSubject> {
  const { kind, value } = subject;
  const [{ rows, next }, lastDay, entries, usersThere] = await Promise.all([
    countable(service, caller, subject, from.from),
    lastDayOf(service, caller, subject),
    entriesFor(service, caller.project.id, lookedUp(subject)),
    kind === 'address' ? usersAt(service, caller, value, from.users) : undefined,
  ]);
  const summary = summarise(rows, from.from === start ? service.now() : from.from.at);
  return {
    subject,
    info: kind === 'address' ? service.addresses.lookUp(value.split('/')[0] ?? value) : undefined,
    credits: creditsOf(service.addresses),
    disposable: kind === 'email_domain' ? disposableDomainOf(value) : undefined,
    lastDay,
    entries,
    summary,
    next,
    usersThere,
    newest: rows.slice(0, newestCount),
    ...(await devicesOf(service, caller, subject, summary)),
  };
}

interface Countable {
  readonly rows: readonly ListedEvaluationRow[];
  readonly next: Position | undefined;
}

/** Returns evaluations of a subject among a limited number, newest first, and where the search stopped. */
async function countable(service: Service, caller: Caller, subject: Subject, from: Position): Promise<Countable> {
  const filter = subjectFilter(subject);
  const { rows, stoppedAt } = await searchEvaluations(service, caller, filter ?? {}, { from, limit: maxCounted });
  const last = rows.length === maxCounted ? rows.at(-1) : undefined;
  const next = last ? { at: last.created_at, id: last.id } : stoppedAt;
  return { rows: filter ? rows : await ofDomain(service, caller, rows, subject.value), next };
}

/** Returns the evaluations of users whose stored email address belongs to a domain. */
async function ofDomain(
  { db, vault }: Service,
  { worldId }: Caller,
  rows: readonly ListedEvaluationRow[],
  domain: string,
): Promise<ListedEvaluationRow[]> {
  const ids = new Set(rows.flatMap(({ user_id }) => user_id ?? []));
  const sealed = await findSealedEmails(db, worldId, [...ids]);
  const isOfDomain = (email: Uint8Array) => {
    const read = parseEmail(vault.open(email, 'user.email'));
    return read !== undefined && isWithinDomain(read.domain, domain);
  };
  const users = new Set(sealed.filter(({ email }) => isOfDomain(email)).map(({ id }) => id));
  return rows.filter(({ user_id }) => user_id !== null && users.has(user_id));
}

async function lastDayOf(service: Service, caller: Caller, { kind, value }: Subject): Promise<Counts | undefined> {
  if (kind === 'country' || kind === 'hardware') return undefined;
  return (await countsOfValue(service, caller, kind, value)).day;
}

function lookedUp({ kind, value }: Subject): Parameters<typeof entriesFor>[2] {
  if (kind === 'address') return { ip: value };
  if (kind === 'asn') return { asn: Number(value) };
  if (kind === 'country') return { country: value };
  return kind === 'hardware' ? { hardwareId: value } : { emailDomains: mailDomainsOf(value) };
}

async function usersAt(
  { db }: Service,
  { worldId }: Caller,
  network: string,
  from: Position,
): Promise<Part<UserAtAddressRow>> {
  const found = await listUsersAtAddress(db, worldId, network, { from, limit: partSize + 1 });
  return partOf(found, ({ id, seen_at }) => ({ at: seen_at, id }));
}

async function devicesOf(
  service: Service,
  caller: Caller,
  { kind, value }: Subject,
  { deviceIds }: Summary,
): Promise<Pick<ShownSubject, 'devices' | 'deviceCount'>> {
  if (kind === 'hardware') {
    const { data, total } = await listHardwareDevices(service, caller, {
      hardware_id: value,
      page: 1,
      limit: partSize,
    });
    return { devices: data, deviceCount: total };
  }
  const rows = await findNamedDevices(service.db, caller.worldId, deviceIds.slice(0, maxDevices));
  return { devices: rows.map((row) => toDevice(caller, row, row)), deviceCount: undefined };
}
