import { validate as isUuid } from 'uuid';
import { findClaim } from '../../evaluation/claims/queries.js';
import { findEvaluation } from '../../evaluation/queries/evaluations.js';
import { findChallenge } from '../../resources/challenges/queries.js';
import { sizesOfHardware } from '../../resources/devices/queries/hardware.js';
import { normaliseValue } from '../../resources/lists/rules/values.js';
import type { Caller, Service } from '../../resources/service.js';
import { findUser } from '../../resources/users/queries/users.js';
import { findDevices } from '../devices/load.js';

/**
 * Returns the path of the page that a text names, within its world: a user by an identifier, a device, fingerprint,
 * evaluation, challenge or hardware by its ID, or evaluations by an address or range, a network (AS64496) or a country
 * (DE). Returns undefined if it names none of them.
 */
export async function findPage(service: Service, caller: Caller, text: string): Promise<string | undefined> {
  const user = await findUser(service.db, caller.worldId, text);
  if (user) return `/users/${user.id}`;
  const filter = filterOf(text);
  if (filter) return `/evaluations?${new URLSearchParams(filter)}`;
  const found = await findDevices(service, caller, text);
  if (found)
    return 'deviceId' in found ? `/devices/${found.deviceId}` : `/devices?fingerprint_id=${found.fingerprintId}`;
  return isUuid(text) ? findPageOfId(service, caller, text.toLowerCase()) : undefined;
}

function filterOf(text: string): Record<string, string> | undefined {
  const ip = normaliseValue('address', text);
  if (ip !== undefined) return { ip };
  const asn = /^AS\d/i.test(text) ? normaliseValue('asn', text) : undefined;
  if (asn !== undefined) return { asn };
  const country = /^[A-Z]{2}$/.test(text) ? normaliseValue('country', text) : undefined;
  return country === undefined ? undefined : { country };
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
  return hardware.has(id) ? `/evaluations?hardware_id=${id}` : undefined;
}
