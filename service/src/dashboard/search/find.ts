import { validate as isUuid } from 'uuid';
import { findClaim } from '../../evaluation/claims/queries.js';
import { findEvaluation } from '../../evaluation/queries/evaluations.js';
import { lazy } from '../../ground/lazy.js';
import { findChallenge } from '../../resources/challenges/queries.js';
import { sizesOfHardware } from '../../resources/devices/queries/hardware.js';
import { normaliseValue } from '../../resources/lists/rules/values.js';
import type { Caller, Service } from '../../resources/service.js';
import { findUser } from '../../resources/users/queries/users.js';
import { findDevices } from '../devices/load.js';
import { readSubject, type Subject, subjectPath } from '../subjects/rules.js';
import { countryName } from '../view/address.js';

/**
 * Returns the path of the page that a text names, within its world: a user by an identifier, a device, fingerprint,
 * evaluation, challenge or hardware by its ID, an address or range, a network (AS64496), a country (DE) or an email
 * domain (@example.com). Returns undefined if it names none of them.
 */
export async function findPage(service: Service, caller: Caller, text: string): Promise<string | undefined> {
  const user = await findUser(service.db, caller.worldId, text);
  if (user) return `/users/${user.id}`;
  const where = pathOf(text);
  if (where !== undefined) return where;
  const found = await findDevices(service, caller, text);
  if (found)
    return 'deviceId' in found ? `/devices/${found.deviceId}` : `/devices?fingerprint_id=${found.fingerprintId}`;
  return isUuid(text) ? findPageOfId(service, caller, text.toLowerCase()) : undefined;
}

/** Returns the page of an address, network, country or email domain (`@example.com`), or the evaluations of a range. */
function pathOf(text: string): string | undefined {
  const kind = kindOf(text);
  const subject = readSubject(kind, text);
  if (subject) return subjectPath(subject);
  const ip = kind === 'address' ? normaliseValue('address', text) : undefined;
  return ip === undefined ? undefined : `/evaluations?${new URLSearchParams({ ip })}`;
}

/** Names of the countries in English, in lower case, with their codes. */
const countryCodes = lazy(() => new Map(codesOfCountries().map((code) => [countryName(code).toLowerCase(), code])));

function codesOfCountries(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((one) => letters.map((other) => one + other)).filter((code) => countryName(code) !== code);
}

function kindOf(text: string): Subject['kind'] {
  if (/^AS\d/i.test(text)) return 'asn';
  if (/^[A-Z]{2}$/.test(text)) return 'country';
  return text.startsWith('@') ? 'email_domain' : 'address';
}

/**
 * Returns the page of an email domain without an `@`, or of a country by its name. Both can also be the beginning of your
 * identifier of a user.
 */
export function findPageByName(text: string): string | undefined {
  const country = countryCodes().get(text.toLowerCase());
  const subject = country === undefined ? readSubject('email_domain', text) : readSubject('country', country);
  return subject && subjectPath(subject);
}

async function findPageOfId({ db }: Service, { worldId }: Caller, id: string): Promise<string | undefined> {
  const [evaluation, claim, challenge, hardware] = await Promise.all([
    findEvaluation(db, worldId, id),
    findClaim(db, worldId, id),
    findChallenge(db, worldId, id),
    sizesOfHardware(db, worldId, [id]),
  ]);
  if (evaluation ?? claim) return `/evaluations/${id}`;
  if (challenge) return `/challenges/${id}`;
  return hardware.has(id) ? subjectPath({ kind: 'hardware', value: id }) : undefined;
}
