import { compare, parse, priors } from 'whorl/fingerprint';
import type { DeviceStatus } from 'whorl/wire';
import { dayMs } from '../../../ground/time.js';
import { sharesOf } from './census.js';
import { isConsistentWithLast, type WeighingInputs } from './choose.js';

/** Minimum confidence for merging two identities. */
const mergeThreshold = 0.999;

/**
 * Maximum number of devices of an identity to be merged. An identity with more is a crowd of similar machines, not one
 * browser.
 */
export const maxDevices = 10;

/** Device of an identity to be merged. */
export interface MergingDevice {
  readonly id: string;
  readonly identityId: string;
  readonly userId: string;
  /** Customer's ID of the user. */
  readonly externalId: string;
  readonly status: DeviceStatus;
  readonly trusted: boolean;
  readonly whitelisted: boolean;
}

export interface MergePlan {
  /** Devices that move to the remaining identity unchanged. */
  readonly moved: readonly string[];
  /** Devices of users who have one on each side: `from` is merged into `into`. */
  readonly joined: readonly { readonly from: string; readonly into: string }[];
}

/**
 * Returns the confidence that two known fingerprints of different identities, one saved by the other's browser, belong
 * to one device. Returns undefined if they must not be merged: different or unreadable hardware, a different operating
 * system or browser, a version that went backwards, or a confidence below `mergeThreshold`.
 */
export function mergeConfidence(last: string, lastSeenAt: Date, fingerprint: string, scales: WeighingInputs) {
  const from = parse(last);
  const to = parse(fingerprint);
  if (!from || !to || !isConsistentWithLast(from, to)) return undefined;
  const elapsedDays = Math.max(0, (scales.now.getTime() - lastSeenAt.getTime()) / dayMs);
  const shares = sharesOf(scales.census, to);
  const { confidence } = compare(last, fingerprint, { elapsedDays, prior: priors.userWithLast, shares });
  return confidence >= mergeThreshold ? confidence : undefined;
}

/**
 * Returns how the devices of two identities are merged. Returns undefined if they must stay separate: one side is a
 * crowd, the requesting user has no device on a side where others do, or one user's two devices differ in their
 * permissions. This prevents users from linking a stranger's device to theirs, and a merge never adds permissions.
 */
export function planMerge(
  devices: readonly MergingDevice[],
  { survivor, externalId }: { readonly survivor: string; readonly externalId: string | undefined },
): MergePlan | undefined {
  const staying = devices.filter(({ identityId }) => identityId === survivor);
  const leaving = devices.filter(({ identityId }) => identityId !== survivor);
  for (const side of [staying, leaving]) {
    if (side.length > maxDevices) return undefined;
    const isOwn = side.some((device) => device.externalId === externalId && isUsable(device));
    if (side.length > 0 && !isOwn) return undefined;
  }
  const moved: string[] = [];
  const joined: { from: string; into: string }[] = [];
  for (const device of leaving) {
    const other = staying.find(({ userId }) => userId === device.userId);
    if (!other) moved.push(device.id);
    else if (haveSamePermissions(device, other)) joined.push({ from: device.id, into: other.id });
    else return undefined;
  }
  return { moved, joined };
}

function isUsable({ status }: MergingDevice): boolean {
  return status === 'attached' || status === 'detached';
}

function haveSamePermissions(a: MergingDevice, b: MergingDevice): boolean {
  return (
    a.status === 'attached' && b.status === 'attached' && a.trusted === b.trusted && a.whitelisted === b.whitelisted
  );
}
