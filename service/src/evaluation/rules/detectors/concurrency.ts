import type { Facts } from '../facts.js';
import type { Detector } from '../finding.js';

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
