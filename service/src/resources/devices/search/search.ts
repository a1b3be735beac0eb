import type { AddressInfo } from 'whorl/wire';
import type { Period } from '../../../ground/db/paging.js';
import { lastId, type Position } from '../../../ground/db/position-rules.js';
import { maxScannedRows, type Scan } from '../../../ground/db/scan-queries.js';
import { endOfPeriod, startOfPeriod } from '../../../ground/moment-rules.js';
import type { Caller, Service } from '../../service.js';
import { namedUser } from '../../users/named-user.js';
import { findUsersByIds } from '../../users/queries/users.js';
import type { DeviceRow } from '../queries/devices.js';
import { scanDevices } from './queries.js';
import type { DeviceFilter } from './rules/filters.js';

export type DeviceQuery = DeviceFilter & Period;

/** Device with the external ID of its user. */
export type NamedDeviceRow = DeviceRow & { readonly external_id: string };

interface Part {
  readonly from: Position;
  readonly limit: number;
}

/** Number of devices that are read at once to look up their addresses. */
const batchSize = 500;

/** Returns the position of a device in a list, most recently seen first. */
export function positionOfDevice({ id, last_seen_at }: Pick<DeviceRow, 'id' | 'last_seen_at'>): Position {
  return { at: last_seen_at, id };
}

/**
 * Returns devices of a world that match all filters, most recently seen first. A filter that matches few devices examines
 * a limited number of them, and says where it stopped.
 */
export async function findMatchingDevices(
  service: Service,
  { worldId }: Caller,
  { start, end, user, country, asn, address_kind, seen_start_date, seen_end_date, ...filter }: DeviceQuery,
  part: Part,
): Promise<Scan<NamedDeviceRow>> {
  const { db } = service;
  const userId = await namedUser(db, worldId, { user, user_id: filter.user_id });
  if (userId === null) return { rows: [] };
  const until = seen_end_date === undefined ? undefined : endOfPeriod(seen_end_date);
  const read = ({ from, limit }: Part) =>
    scanDevices(db, {
      worldId,
      limit,
      createdSince: start,
      createdUntil: end,
      from: until && until < from.at ? { at: until, id: lastId } : from,
      since: seen_start_date === undefined ? undefined : startOfPeriod(seen_start_date),
      filter: { ...filter, user_id: userId },
    });
  const place = { country, asn, address_kind };
  const isAnywhere = Object.values(place).every((value) => value === undefined);
  const scan = isAnywhere ? await read(part) : await readAtPlace(service, read, place, part);
  const rows = await withNames(service, worldId, scan.rows);
  // With a row less than the limit, the list would seem to end here.
  const last = rows.length < scan.rows.length && scan.rows.length === part.limit ? scan.rows.at(-1) : undefined;
  return { rows, stoppedAt: last ? positionOfDevice(last) : scan.stoppedAt };
}

type Place = Pick<DeviceFilter, 'country' | 'asn' | 'address_kind'>;

/** Reads devices whose last address is at a place, as far as is known now. Places are not stored with devices. */
async function readAtPlace(
  { addresses }: Service,
  read: (part: Part) => Promise<Scan<DeviceRow>>,
  place: Place,
  { from, limit }: Part,
): Promise<Scan<DeviceRow>> {
  const rows: DeviceRow[] = [];
  let next = from;
  for (let examined = 0; examined < maxScannedRows; ) {
    const { rows: batch, stoppedAt } = await read({ from: next, limit: batchSize });
    examined += batch.length;
    for (const row of batch) {
      if (row.last_ip !== null && isAt(addresses.lookUp(row.last_ip), place)) rows.push(row);
      if (rows.length === limit) return { rows };
    }
    const last = batch.length === batchSize ? batch.at(-1) : undefined;
    const end = last ? positionOfDevice(last) : stoppedAt;
    if (!end) return { rows };
    next = end;
    if (stoppedAt) break;
  }
  return { rows, stoppedAt: next };
}

function isAt(info: AddressInfo | undefined, { country, asn, address_kind }: Place): boolean {
  return (
    (country === undefined || info?.country === country) &&
    (asn === undefined || (info?.asn !== undefined && String(info.asn) === asn)) &&
    (address_kind === undefined || info?.kind === address_kind)
  );
}

async function withNames({ db }: Service, worldId: string, rows: readonly DeviceRow[]): Promise<NamedDeviceRow[]> {
  const users = await findUsersByIds(db, worldId, [...new Set(rows.map(({ user_id }) => user_id))]);
  const names = new Map(users.map(({ id, external_id }) => [id, external_id]));
  // A user can be erased between the two statements.
  return rows.flatMap((row) => {
    const name = names.get(row.user_id);
    return name === undefined ? [] : [{ ...row, external_id: name }];
  });
}
