import { validate as isUuid } from 'uuid';
import type { Device, User } from 'whorl/wire';
import { emailContext } from '../../audit/audit.js';
import { statusAt } from '../../challenges/rules/states.js';
import { toDevice, toUser } from '../../challenges/views.js';
import type { AdminActionName } from '../../db/schema/index.js';
import type { Caller, Service } from '../../service.js';
import { findUserById } from '../../users/queries/users.js';
import { type ListedChallengeRow, listChallengesOfUser } from '../challenges/queries.js';
import { type Part, type Position, partOf, partSize } from '../position-rules.js';
import {
  listAddressesOfUser,
  listDevicesOfUser,
  listTimeline,
  type TimelineRow,
  type UserAddressRow,
} from './one-user-queries.js';

/** Where each list of the page begins. */
export interface UserPageRequest {
  readonly devices: Position;
  readonly challenges: Position;
  readonly timeline: Position;
}

/** All that the page of a user shows; contacts are masked. */
export interface ShownUser {
  readonly user: User;
  readonly devices: Part<Device>;
  readonly addresses: readonly UserAddressRow[];
  /** Whether there are addresses that are older still. */
  readonly hasMoreAddresses: boolean;
  readonly challenges: Part<ListedChallengeRow>;
  readonly timeline: Part<TimelineEntry>;
}

/** An entry of the timeline; what a person did says who. */
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

/** A user with all that is known of it; undefined where the world has none of this id. */
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
    listDevicesOfUser(db, row.id, from.devices, partSize + 1),
    listAddressesOfUser(db, row.id, mostAddresses + 1),
    listChallengesOfUser(db, row.id, from.challenges, fewChallenges + 1),
    listTimeline(db, row.id, from.timeline, partSize + 1),
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

/** With the status that it has at this moment. */
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
