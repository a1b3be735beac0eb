import type { Detector, Facts } from '../facts.js';
import { countOthers } from '../strength.js';

/** Detects that attaching this device would exceed the user's limits. */
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

/** Detects more of the user's devices than allowed that are active at the same time, each at a different address. */
export const concurrency: Detector = (facts) => {
  if (!facts.address) return undefined;
  const { devices: allowed, minutes } = facts.settings.concurrency;
  const deviceIds = devicesAtDistinctNetworks(facts.active, facts.address.network);
  if (deviceIds.length + 1 <= allowed) return undefined;
  return { reason: 'concurrency', evidence: { devices: deviceIds.length + 1, minutes, other_devices: deviceIds } };
};

/**
 * Returns the largest set of devices that can each be assigned a different address, other than the current one: a device
 * seen at two addresses counts once, and so do two devices at one address. This is a maximum bipartite matching, found
 * with augmenting paths.
 */
function devicesAtDistinctNetworks(active: Facts['active'], currentNetwork: string): string[] {
  const networksOf = new Map<string, string[]>();
  for (const { deviceId, network } of active) {
    if (network !== currentNetwork) networksOf.set(deviceId, [...(networksOf.get(deviceId) ?? []), network]);
  }
  const deviceAt = new Map<string, string>();
  const assign = (deviceId: string, tried: Set<string>): boolean =>
    (networksOf.get(deviceId) ?? []).some((network) => {
      if (tried.has(network)) return false;
      tried.add(network);
      const assigned = deviceAt.get(network);
      if (assigned !== undefined && !assign(assigned, tried)) return false;
      deviceAt.set(network, deviceId);
      return true;
    });
  return [...networksOf.keys()].filter((deviceId) => assign(deviceId, new Set()));
}

/** Detects other users on the device. The evidence counts them by minimum strength. */
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
