import { isIPv4 } from 'node:net';

/** The first half of an IPv4 address, or the first two groups of an IPv6 one: enough to tell home from elsewhere. */
export function maskAddress(ip: string): string {
  if (isIPv4(ip)) return ip.replace(/\d+\.\d+$/, 'x.x');
  return `${ip.split(':').slice(0, 2).join(':')}:…`;
}
