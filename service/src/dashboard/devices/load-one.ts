import { validate as isUuid } from 'uuid';
import type { Device, UserSummary } from 'whorl/wire';
import { toDevice, toUserSummary } from '../../challenges/views.js';
import { type DeviceRow, findDevice } from '../../devices/queries/devices.js';
import type { Caller, Service } from '../../service.js';
import { findUserById } from '../../users/queries/users.js';
import { type ListedEvaluationRow, listEvaluationsOfDevice } from '../evaluations/queries.js';
import { type Part, type Position, partOf, partSize } from '../position-rules.js';
import {
  countErasedOfIdentity,
  type IdentityMergeRow,
  listDevicesOfIdentity,
  listMergesInto,
  listVariantsOfDevice,
} from './queries.js';
import { inTime, type VariantChange } from './variants-rules.js';

/** A fingerprint of a device, and what it changed of the one before it. */
export interface ShownVariant {
  readonly id: string;
  readonly fingerprint: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Whether the device's trust covers it. */
  readonly isCovered: boolean;
  /** Undefined for the first, and where a text is not ours. */
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

/** All that the page of a device shows. */
export interface ShownDevice {
  readonly device: Device;
  readonly user: UserSummary;
  /** The one that the device was let in with last. */
  readonly variantId: string;
  /** The newest first. */
  readonly variants: readonly ShownVariant[];
  readonly hasMoreVariants: boolean;
  readonly evaluations: Part<ListedEvaluationRow>;
  readonly sharers: Part<Sharer>;
  /** How many users who shared it were erased; counted up to 100. */
  readonly erasedUsers: number;
  readonly merges: readonly IdentityMergeRow[];
}

export interface DevicePageRequest {
  readonly evaluations: Position;
  readonly sharers: Position;
}

/** An identity has 200 at most, unless others were merged into it. */
const mostVariants = 200;
const mostMerges = 20;
const mostErased = 100;

/**
 * A device with all that is known of it; undefined where the world has none of this id. One that turned out to be another
 * is that other one.
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
    listVariantsOfDevice(db, row, mostVariants + 1),
    listEvaluationsOfDevice(db, row, from.evaluations, partSize + 1),
    loadSharers(service, caller, row, from.sharers),
    countErasedOfIdentity(db, worldId, row.identity_id, mostErased),
    listMergesInto(db, worldId, row.identity_id, mostMerges),
  ]);
  const shown = variants.slice(0, mostVariants).map(({ id, fingerprint, is_covered, ...seen }) => ({
    id,
    fingerprint,
    firstSeenAt: seen.first_seen_at,
    lastSeenAt: seen.last_seen_at,
    isCovered: is_covered,
  }));
  return {
    device: toDevice(caller, row, user),
    user: toUserSummary(service, user),
    variantId: row.variant_id,
    variants: inTime(shown),
    hasMoreVariants: variants.length > mostVariants,
    evaluations: partOf(evaluations, ({ id, created_at }) => ({ at: created_at, id })),
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
