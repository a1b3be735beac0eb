import { groupBy } from '../../../ground/group-by.js';
import type { LookAlikes } from './fitting.js';
import { chooser, pick } from './random.js';
import { hardwareEnd, isSameHardware, type Pair, type Values } from './scoring.js';

/** One visit of a device, in days since any fixed day. */
export interface Visit {
  readonly day: number;
  readonly fingerprint: { readonly values: Values };
}

/** The visits of one device, the earliest first. */
export type Visits = readonly Visit[];

/** Returns the visit that is nearest to a day. */
export function nearest(visits: Visits, day: number): Visit {
  return visits.reduce((best, visit) => (Math.abs(visit.day - day) < Math.abs(best.day - day) ? visit : best));
}

export function pairOf(one: Visit, other: Visit): Pair {
  const [a, b] = one.day <= other.day ? [one, other] : [other, one];
  return { a: a.fingerprint.values, b: b.fingerprint.values, days: b.day - a.day };
}

/** Draws two visits of a device that has at least two. Half of the draws are of consecutive visits. */
export function twoVisits(visits: Visits, random: () => number): readonly [Visit, Visit] {
  const at = Math.floor(random() * (visits.length - 1));
  const to = random() < 0.5 ? at + 1 : at + 1 + Math.floor(random() * (visits.length - at - 1));
  const [one, other] = [visits[at], visits[to]];
  if (!one || !other) throw new Error('A device has fewer than two visits');
  return [one, other];
}

export interface LookAlikesInput<Device extends Visits> {
  /** Devices with at least two visits each. */
  readonly visits: readonly Device[];
  random(): number;
  readonly count: number;
  /** Whether two entries are two devices. Default: always. */
  isOther?(one: Device, other: Device): boolean;
}

/**
 * Returns pairs of two devices with equal hardware, which are rare among random pairs, with both devices, and their
 * share of all pairs of two devices.
 */
export function lookAlikes<Device extends Visits>({
  visits,
  random,
  count,
  isOther = () => true,
}: LookAlikesInput<Device>): LookAlikes<Pair & { readonly of: readonly [Device, Device] }> {
  const groups = groupBy(visits, (own) => own[0]?.fingerprint.values.slice(0, hardwareEnd).join() ?? '');
  const large = [...groups.values()].filter((group) => group.length > 1);
  if (large.length === 0) return { pairs: [], share: 0 };
  const sizeOf = (group: readonly Device[]) => group.length * (group.length - 1);
  const choose = chooser(large.map((group) => [group, sizeOf(group)] as const));
  const pairs = Array.from({ length: count }, () => {
    const group = choose(random);
    const first = Math.floor(random() * group.length);
    const second = (first + 1 + Math.floor(random() * (group.length - 1))) % group.length;
    const [own, other] = [group[first], group[second]];
    if (!own || !other) throw new Error('A group has fewer than two devices');
    const [one, then] = twoVisits(own, random);
    return { ...pairOf(one, nearest(other, then.day)), of: [own, other] as const };
  }).filter((pair) => isSameHardware(pair) && isOther(...pair.of));
  return { pairs, share: large.reduce((sum, group) => sum + sizeOf(group), 0) / sizeOf(visits) };
}

/** A sampled key with what the study needs to know about it. */
export interface Browser {
  readonly visits: Visits;
  /** Users who were seen with the key. */
  readonly users: ReadonlySet<string>;
}

/** A pair that remembers the browsers it is from, by index, and how much it counts. */
export interface StudyPair extends Pair {
  readonly devices: readonly [number, number];
  readonly weight: number;
}

export interface StudyPairs {
  /** All pairs of visits of each browser, which counts as one in total. */
  readonly same: readonly StudyPair[];
  /** Pairs of browsers without a common user. */
  readonly different: readonly StudyPair[];
  readonly lookAlikes: LookAlikes<StudyPair>;
}

/**
 * Returns pairs of one browser and pairs of two, from browsers with at least two visits. The time between two browsers'
 * visits is distributed as for one browser, so it is no evidence.
 */
export function pairsOf(browsers: readonly Browser[], random: () => number, counts: PairCounts): StudyPairs {
  const same = browsers.flatMap(({ visits }, device) =>
    visits.flatMap((one, at) =>
      visits.slice(at + 1).map((other) => ({
        ...pairOf(one, other),
        devices: [device, device] as const,
        weight: 2 / (visits.length * (visits.length - 1)),
      })),
    ),
  );
  const areStrangers = (one: number, other: number) =>
    one !== other && ![...(browsers[one]?.users ?? [])].some((user) => browsers[other]?.users.has(user));
  const indexes = [...browsers.keys()];
  const each = Math.ceil(counts.different / browsers.length);
  const different = indexes.flatMap((device) =>
    Array.from({ length: each }, () => pick(indexes, random))
      .filter((other) => areStrangers(device, other))
      .map((other) => {
        const [one, then] = twoVisits(browsers[device]?.visits ?? [], random);
        const pair = pairOf(one, nearest(browsers[other]?.visits ?? [], then.day));
        return { ...pair, devices: [device, other] as const, weight: 1 };
      }),
  );
  const indexOf = new Map(browsers.map(({ visits }, device) => [visits, device]));
  const placeOf = (visits: Visits) => indexOf.get(visits) ?? -1;
  const alike = lookAlikes({
    random,
    count: counts.lookAlikes,
    visits: browsers.map(({ visits }) => visits),
    isOther: (one, other) => areStrangers(placeOf(one), placeOf(other)),
  });
  const pairs = alike.pairs.map(({ of, ...pair }) => ({
    ...pair,
    devices: [placeOf(of[0]), placeOf(of[1])] as const,
    weight: 1,
  }));
  return { same, different, lookAlikes: { pairs, share: alike.share } };
}

export interface PairCounts {
  readonly different: number;
  readonly lookAlikes: number;
}
