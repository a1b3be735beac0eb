import { compare, parse, priors } from 'whorl/fingerprint';
import type { DeviceStatus } from 'whorl/wire';
import { dayMs } from '../../time.js';
import { sharesOf } from './census.js';
import { type Scales, upholdsLast } from './choose.js';

/** Two identities are taken for one from here on; below, they stay two. */
export const mergeThreshold = 0.999;

/** An identity that more devices have than this is a crowd of look-alikes and no browser: it is never merged. */
export const mostDevices = 10;

/** A device of one of two identities, as a merge looks at it. */
export interface MergingDevice {
  readonly id: string;
  readonly identityId: string;
  readonly userId: string;
  /** The customer's identifier of its user. */
  readonly externalId: string;
  readonly status: DeviceStatus;
  readonly trusted: boolean;
  readonly whitelisted: boolean;
}

export interface MergePlan {
  /** Devices that take the survivor's identity as they are. */
  readonly moved: readonly string[];
  /** Of a user with a device on each side, the one that goes into the other. */
  readonly joined: readonly { readonly from: string; readonly into: string }[];
}

/**
 * The confidence that two known fingerprints of different identities, of which one was saved by the other's browser, are
 * of one device; undefined where that is not sure enough to merge by: other or unreadable hardware, another system or
 * browser, a version that went backwards, or below `mergeThreshold`.
 */
export function mergeConfidence(last: string, lastSeenAt: Date, fingerprint: string, scales: Scales) {
  const from = parse(last);
  const to = parse(fingerprint);
  if (!from || !to || !upholdsLast(from, to)) return undefined;
  const elapsedDays = Math.max(0, (scales.now.getTime() - lastSeenAt.getTime()) / dayMs);
  const shares = sharesOf(scales.census, to);
  const { confidence } = compare(last, fingerprint, { elapsedDays, prior: priors.userWithLast, shares });
  return confidence >= mergeThreshold ? confidence : undefined;
}

/**
 * What becomes of the devices of two identities, or undefined where they must stay two: of crowds, where the user at
 * hand has no device of its own on a side that others have one on, and where one user's two devices differ in what they
 * may do. So nobody ties a stranger to itself, and a merge gives no device what it did not have.
 */
export function planMerge(
  devices: readonly MergingDevice[],
  { survivor, externalId }: { readonly survivor: string; readonly externalId: string | undefined },
): MergePlan | undefined {
  const staying = devices.filter(({ identityId }) => identityId === survivor);
  const leaving = devices.filter(({ identityId }) => identityId !== survivor);
  for (const side of [staying, leaving]) {
    if (side.length > mostDevices) return undefined;
    const isOwn = side.some((device) => device.externalId === externalId && isLetIn(device));
    if (side.length > 0 && !isOwn) return undefined;
  }
  const moved: string[] = [];
  const joined: { from: string; into: string }[] = [];
  for (const device of leaving) {
    const other = staying.find(({ userId }) => userId === device.userId);
    if (!other) moved.push(device.id);
    else if (isAlike(device, other)) joined.push({ from: device.id, into: other.id });
    else return undefined;
  }
  return { moved, joined };
}

function isLetIn({ status }: MergingDevice): boolean {
  return status === 'attached' || status === 'detached';
}

function isAlike(a: MergingDevice, b: MergingDevice): boolean {
  return (
    a.status === 'attached' && b.status === 'attached' && a.trusted === b.trusted && a.whitelisted === b.whitelisted
  );
}
