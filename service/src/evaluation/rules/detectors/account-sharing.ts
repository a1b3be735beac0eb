import type { Detector, Facts } from '../facts.js';
import { countOthers } from '../strength.js';

/** The device does not count towards the user's limits yet, and one more would go over them. */
export const limitExceeded: Detector = ({ device, attached, settings, request }) => {
  if (device?.status === 'attached') return undefined;
  const kind = device?.kind ?? request.parsed?.descriptor.kind ?? 'unknown';
  const counted = kind === 'unknown' ? (['overall'] as const) : (['overall', kind] as const);
  const exceeded = counted.filter((name) => {
    const limit = settings.device_limit[name];
    return limit !== null && attached[name] + 1 > limit;
  });
  if (exceeded.length === 0) return undefined;
  return {
    reason: 'limit_exceeded',
    evidence: { kind, exceeded, attached: { ...attached }, limit: { ...settings.device_limit } },
  };
};

/** More devices of the user than allowed are active at the same time, at pairwise different addresses. */
export const concurrency: Detector = (facts) => {
  if (!facts.address) return undefined;
  const { devices: allowed, minutes } = facts.settings.concurrency;
  const deviceIds = spread(facts.active, facts.address.network);
  if (deviceIds.length + 1 <= allowed) return undefined;
  return { reason: 'concurrency', evidence: { devices: deviceIds.length + 1, minutes, other_devices: deviceIds } };
};

/**
 * The largest set of devices that can each be given an address of their own, other than the one that is taken: a device
 * that was seen at two addresses counts once, and so do two devices at one address. A matching in a bipartite graph, by
 * augmenting paths.
 */
function spread(active: Facts['active'], takenNetwork: string): string[] {
  const networksOf = new Map<string, string[]>();
  for (const { deviceId, network } of active) {
    if (network !== takenNetwork) networksOf.set(deviceId, [...(networksOf.get(deviceId) ?? []), network]);
  }
  const deviceAt = new Map<string, string>();
  const place = (deviceId: string, tried: Set<string>): boolean =>
    (networksOf.get(deviceId) ?? []).some((network) => {
      if (tried.has(network)) return false;
      tried.add(network);
      const holder = deviceAt.get(network);
      if (holder !== undefined && !place(holder, tried)) return false;
      deviceAt.set(network, deviceId);
      return true;
    });
  return [...networksOf.keys()].filter((deviceId) => place(deviceId, new Set()));
}

/** Other users were seen on the device. The counts are of those known by evidence that is at least so strong. */
export const multipleAccounts: Detector = (facts) => {
  if (facts.others.length === 0) return undefined;
  const corroborated = countOthers(facts, 'corroborated');
  const proven = countOthers(facts, 'proven');
  return {
    reason: 'multiple_accounts',
    strength: proven > 0 ? 'proven' : corroborated > 0 ? 'corroborated' : 'fingerprint',
    evidence: { others: { fingerprint: facts.others.length, corroborated, proven } },
  };
};
