import type { Facts } from '../facts.js';
import type { ReasonRule } from '../reason.js';

/** More of the user's devices than allowed are active at the same time, each at a different address. */
export const concurrency: ReasonRule<'concurrency'> = {
  name: 'concurrency',
  words: {
    title: 'Too many devices at once',
    explanation: 'Several devices of this user were active at different IP addresses at the same time.',
    toVisitor: 'several devices of the account are in use in different places',
    raisedWhen: 'more than 2 devices of the user were active within 5 minutes, at different addresses (`concurrency`)',
  },
  policy: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  traits: ['sharing', 'enforced_on_attach'],
  detect: (facts) => {
    if (!facts.address) return undefined;
    const { devices: allowed, minutes } = facts.settings.concurrency;
    const deviceIds = devicesAtDistinctNetworks(facts.active, facts.address.network);
    if (deviceIds.length + 1 <= allowed) return undefined;
    return { evidence: { devices: deviceIds.length + 1, minutes, other_devices: deviceIds } };
  },
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
