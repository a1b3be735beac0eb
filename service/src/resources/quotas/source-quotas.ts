import { createHash } from 'node:crypto';
import { daySeconds, hourSeconds } from '../../ground/time.js';
import { sourceNetwork } from '../addresses/addresses.js';
import type { Quota } from './queries.js';

/**
 * Number of parts of a project's quota. Each source network belongs to one part, so that someone who uses up a part
 * from a few networks does not affect the other networks.
 */
const parts = 64;

/** Quotas of what anyone may cause. */
export interface SourceLimits {
  readonly worldId: string;
  /** Prefix of the counters' names. */
  readonly name: string;
  readonly perNetworkAndHour: number;
  readonly perProjectAndDay: number;
}

/**
 * Returns the quotas of a source network (IPv4 /24, IPv6 /48) and of the project.
 *
 * @param ip Source address; undefined if it is not known. All unknown ones share a quota.
 */
export function sourceQuotas(
  ip: string | undefined,
  { worldId, name, perNetworkAndHour, perProjectAndDay }: SourceLimits,
): Quota[] {
  const network = ip === undefined ? '' : sourceNetwork(ip);
  return [
    { worldId, name: `${name}_of_network`, subject: network, limit: perNetworkAndHour, windowSeconds: hourSeconds },
    {
      worldId,
      name: `${name}_of_project`,
      subject: partOf(network),
      limit: Math.ceil(perProjectAndDay / parts),
      windowSeconds: daySeconds,
    },
  ];
}

function partOf(network: string): string {
  return String(createHash('sha256').update(network).digest().readUInt16BE() % parts);
}
