import { validate as isUuid } from 'uuid';
import type { AddressInfo, Device, UserSummary } from 'whorl/wire';
import type { ListedEvaluationRow } from '../../evaluation/search/queries.js';
import { searchEvaluations } from '../../evaluation/search/search.js';
import {
  type Part,
  type Position,
  partOf,
  partSize,
  type ScannedPart,
  scannedPart,
} from '../../ground/db/position-rules.js';
import { findVariants } from '../../recognition/linking/queries/recognition.js';
import { digestOf } from '../../recognition/linking/recognise.js';
import { type AddressCredit, creditsOf } from '../../resources/addresses/address-book.js';
import { toDevice } from '../../resources/devices/present.js';
import { type DeviceRow, findDevice } from '../../resources/devices/queries/devices.js';
import { type DeviceQuery, findMatchingDevices, positionOfDevice } from '../../resources/devices/search/search.js';
import type { Caller, Service } from '../../resources/service.js';
import { toUserSummary } from '../../resources/users/present.js';
import { findUserById } from '../../resources/users/queries/users.js';
import {
  countErasedOfIdentity,
  findIdentity,
  type IdentityMergeRow,
  listDevicesOfIdentity,
  listMergesInto,
  listVariantsOfDevice,
} from './queries.js';
import { type VariantChange, withChanges } from './rules.js';

/** Reads devices that match all filters, most recently seen first. */
export async function listDevices(
  service: Service,
  caller: Caller,
  query: DeviceQuery,
  from: Position,
): Promise<ScannedPart<Device>> {
  const found = await findMatchingDevices(service, caller, query, { from, limit: partSize + 1 });
  const { rows, ...part } = scannedPart(found, positionOfDevice);
  return { ...part, rows: rows.map((row) => toDevice(caller, row, row)) };
}

/** Result of a search: a device, or an identity that several devices can share. */
export type FoundDevice = { readonly deviceId: string } | { readonly fingerprintId: string };

/** Finds a device by its ID, or an identity by its ID or one of its fingerprints. */
export async function findDevices(
  service: Service,
  { worldId }: Caller,
  text: string,
): Promise<FoundDevice | undefined> {
  const { db } = service;
  if (isUuid(text)) {
    const device = await findDevice(db, worldId, text);
    if (device) return { deviceId: device.id };
    const identityId = await findIdentity(db, worldId, text);
    if (identityId !== undefined) return { fingerprintId: identityId };
  }
  const question = { worldId, digest: digestOf(text), lastDigest: null, externalId: null, keyThumbprint: null };
  const { known: variant } = await findVariants(db, question);
  return variant && { fingerprintId: variant.identityId };
}

/** Fingerprint of a device, and what changed since the previous one. */
export interface ShownVariant {
  readonly id: string;
  readonly fingerprint: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Whether the device's trust covers this fingerprint. */
  readonly isCovered: boolean;
  /** Undefined for the first fingerprint, and if either fingerprint is not in Whorl's format. */
  readonly change: VariantChange | undefined;
}

/** Another user's device of the same identity. */
export interface Sharer {
  readonly deviceId: string;
  readonly userId: string;
  readonly externalUser: string;
  readonly status: Device['status'];
  readonly isTrusted: boolean;
  readonly lastSeenAt: Date;
}

/** Data of a device's page. */
export interface ShownDevice {
  readonly device: Device;
  readonly user: UserSummary;
  /** What is known about the last address now. */
  readonly address: AddressInfo | undefined;
  readonly credits: readonly AddressCredit[];
  /** Fingerprint that the device last used. */
  readonly variantId: string;
  /** Sorted newest first. */
  readonly variants: readonly ShownVariant[];
  readonly hasMoreVariants: boolean;
  readonly evaluations: Part<ListedEvaluationRow>;
  readonly sharers: Part<Sharer>;
  /** Number of erased users who shared the identity, at most 100. */
  readonly erasedUsers: number;
  readonly merges: readonly IdentityMergeRow[];
}

export interface DevicePageRequest {
  readonly evaluations: Position;
  readonly sharers: Position;
}

/** An identity has at most 200, unless others were merged into it. */
const maxVariants = 200;
const maxMerges = 20;
const maxErased = 100;

/**
 * Reads a device with its history. Returns undefined if the world has no device with this ID. The ID of a merged device
 * returns the device it was merged into.
 */
export async function showDevice(
  service: Service,
  caller: Caller,
  id: string,
  from: DevicePageRequest,
): Promise<ShownDevice | undefined> {
  const { db } = service;
  const { worldId } = caller;
  const row = isUuid(id) ? await findDevice(db, worldId, id) : undefined;
  const user = row && (await findUserById(db, worldId, row.user_id));
  if (!row || !user) return undefined;
  const [variants, evaluations, sharers, erasedUsers, merges] = await Promise.all([
    listVariantsOfDevice(db, row, maxVariants + 1),
    searchEvaluations(service, caller, { device_id: row.id }, { from: from.evaluations, limit: partSize + 1 }),
    loadSharers(service, caller, row, from.sharers),
    countErasedOfIdentity(db, worldId, row.identity_id, maxErased),
    listMergesInto(db, worldId, row.identity_id, maxMerges),
  ]);
  const shown = variants.slice(0, maxVariants).map(({ id, fingerprint, is_covered, ...seen }) => ({
    id,
    fingerprint,
    firstSeenAt: seen.first_seen_at,
    lastSeenAt: seen.last_seen_at,
    isCovered: is_covered,
  }));
  return {
    device: toDevice(caller, row, user),
    user: toUserSummary(service, user),
    address: row.last_ip === null ? undefined : service.addresses.lookUp(row.last_ip),
    credits: creditsOf(service.addresses),
    variantId: row.variant_id,
    variants: withChanges(shown),
    hasMoreVariants: variants.length > maxVariants,
    evaluations: partOf(evaluations.rows, ({ id, created_at }) => ({ at: created_at, id })),
    sharers,
    erasedUsers,
    merges,
  };
}

async function loadSharers(
  { db }: Service,
  { worldId }: Caller,
  device: DeviceRow,
  from: Position,
): Promise<Part<Sharer>> {
  const found = await listDevicesOfIdentity(db, { worldId, identityId: device.identity_id }, from, partSize + 1);
  const { rows, next } = partOf(found, ({ id, last_seen_at }) => ({ at: last_seen_at, id }));
  const others = rows.filter(({ id }) => id !== device.id);
  return {
    rows: others.map((row) => ({
      deviceId: row.id,
      userId: row.user_id,
      externalUser: row.external_id,
      status: row.status,
      isTrusted: row.trusted || row.whitelisted,
      lastSeenAt: row.last_seen_at,
    })),
    next,
  };
}
