import type { StoredAddress } from '../../../ground/vocabulary.js';

/** How common values are in a project, counted in a sample of recent accesses. */
export interface Frequencies {
  /** Number of different users in the sample. */
  readonly users: number;
  /** Number of users with each value: see `placesOf` and `descriptorOf`. */
  readonly seen: ReadonlyMap<string, number>;
  readonly accesses: number;
  /** Number of accesses in each hour of the day (UTC). */
  readonly hours: readonly number[];
}

/** An access of the sample. */
export interface SampledAccess {
  readonly userId: string;
  readonly at: Date;
  readonly network: string | null;
  readonly info: StoredAddress | undefined;
  readonly os: string | null;
  readonly browser: string | null;
}

/** Level of an address. */
export type SampledPlace = 'network' | 'city' | 'asn' | 'country';

export type SampledLevel = SampledPlace | 'descriptor';

export const noFrequencies: Frequencies = { users: 0, seen: new Map(), accesses: 0, hours: [] };

/** Returns how many users of a sample have each value. */
export function countFrequencies(sample: Iterable<SampledAccess>): Frequencies {
  const users = new Set<string>();
  const usersOf = new Map<string, Set<string>>();
  const hours = new Array<number>(24).fill(0);
  let accesses = 0;
  for (const access of sample) {
    accesses++;
    users.add(access.userId);
    const hour = access.at.getUTCHours();
    hours[hour] = (hours[hour] ?? 0) + 1;
    for (const [level, value] of Object.entries(valuesOf(access))) {
      if (value === undefined) continue;
      const key = `${level} ${value}`;
      const known = usersOf.get(key) ?? new Set();
      usersOf.set(key, known.add(access.userId));
    }
  }
  const seen = new Map([...usersOf].map(([key, those]) => [key, those.size]));
  return { users: users.size, seen, accesses, hours };
}

/** Returns the number of users of the sample that have a value. */
export function usersWith({ seen }: Frequencies, level: SampledLevel, value: string): number {
  return seen.get(`${level} ${value}`) ?? 0;
}

/** Values on each coarse level; undefined if not known. */
type Values<Level extends SampledLevel = SampledLevel> = Readonly<Record<Level, string | undefined>>;

/** Returns the values of an access. */
function valuesOf(access: SampledAccess): Values {
  return { ...placesOf(access), descriptor: descriptorOf(access) };
}

/** Returns the values of an access's address. */
export function placesOf({ network, info }: Pick<SampledAccess, 'network' | 'info'>): Values<SampledPlace> {
  const { country, city, asn } = info ?? {};
  return {
    network: network === null ? undefined : widen(network),
    city: city === undefined ? undefined : [asn, country, city].join(' '),
    asn: asn === undefined ? undefined : String(asn),
    country,
  };
}

/** Returns system and browser of an access; undefined if not known. */
export function descriptorOf({ os, browser }: Pick<SampledAccess, 'os' | 'browser'>): string | undefined {
  return os === null || browser === null ? undefined : `${os} ${browser}`;
}

/** Returns the wider network of one that trust applies to: IPv4 /24, IPv6 /48. */
function widen(network: string): string {
  const address = network.split('/', 1)[0] ?? network;
  if (!address.includes(':')) return address.slice(0, address.lastIndexOf('.'));
  const [head = ''] = address.split('::', 1);
  const groups = head.split(':');
  return Array.from({ length: 3 }, (_, at) => groups[at] || '0').join(':');
}

/** Returns the share of accesses within three hours of an hour of the day. */
export function shareAround(hours: readonly number[], accesses: number, hour: number): number {
  if (accesses === 0) return windowHours / 24;
  let sum = 0;
  for (let offset = -3; offset <= 3; offset++) sum += hours[(hour + offset + 24) % 24] ?? 0;
  return sum / accesses;
}

const windowHours = 7;
