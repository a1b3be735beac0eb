import type { AddressKey } from './public-key.js';
import { createYield, sortYielding, type Yield } from './yielding.js';

/** Range of addresses, both ends included. */
export interface Span<Key extends AddressKey> {
  readonly from: Key;
  readonly to: Key;
}

/** Ranges in columns, which need a third of the memory of objects: the first address of each range, and the last. */
export interface Columns<Key extends AddressKey> {
  readonly from: readonly Key[];
  readonly to: readonly Key[];
}

/** Ranges of IPv4 and IPv6 addresses. In each family, the ranges are sorted and disjoint. */
export interface Ranges {
  readonly v4: Columns<number>;
  readonly v6: Columns<bigint>;
}

/** Table of many ranges, in typed arrays: a million ranges take 8 MB (IPv4) or 32 MB (IPv6), and a look-up 20 steps. */
export interface RangeTable {
  /** Returns the position of the range that contains an address, IPv4 before IPv6. Returns undefined if none does. */
  find(key: AddressKey): number | undefined;
  readonly size: number;
  /** Returns the share of the public addresses that the ranges contain, from 0 to 1: of IPv4 or IPv6, the larger one. */
  share(): number;
}

/** Creates a table of sorted, disjoint ranges. */
export function rangeTable({ v4, v6 }: Ranges): RangeTable {
  const from4 = Uint32Array.from(v4.from);
  const to4 = Uint32Array.from(v4.to);
  const from6 = halvesOf(v6.from);
  const to6 = halvesOf(v6.to);
  const v6Length = v6.from.length;
  return {
    size: from4.length + v6Length,
    share: () => Math.max(share4(from4, to4), share6(from6, to6)),
    find(key) {
      if (typeof key === 'number') {
        const index = lastIndex(from4.length, (at) => (from4[at] ?? 0) <= key);
        return index >= 0 && key <= (to4[index] ?? 0) ? index : undefined;
      }
      const high = key >> half;
      const low = key & lowMask;
      const index = lastIndex(v6Length, (at) => order6(from6, at, high, low) <= 0);
      return index >= 0 && order6(to6, index, high, low) >= 0 ? from4.length + index : undefined;
    },
  };
}

function share4(from: Uint32Array, to: Uint32Array): number {
  return from.reduce((sum, first, at) => sum + (to[at] ?? 0) - first + 1, 0) / 2 ** 32;
}

/** The public addresses of IPv6 are 2000::/3. Only the higher halves count: smaller ranges are a tiny share. */
function share6(from: BigUint64Array, to: BigUint64Array): number {
  let sum = 0;
  for (let at = 0; at < from.length; at += 2) sum += Number((to[at] ?? 0n) - (from[at] ?? 0n));
  return Math.min(sum / 2 ** 61, 1);
}

/** Sorts ranges, joins those that overlap, and returns them in columns. */
export async function joined<Key extends AddressKey>(
  spans: readonly Span<Key>[],
  pause: Yield = createYield(),
): Promise<Columns<Key>> {
  const sorted = await sortYielding(spans, (a, b) => a.from < b.from, pause);
  const from: Key[] = [];
  const to: Key[] = [];
  for (const [index, span] of sorted.entries()) {
    if (index % 256 === 0) await pause();
    const last = to.at(-1);
    if (last === undefined || span.from > last) {
      from.push(span.from);
      to.push(span.to);
    } else if (span.to > last) {
      to[to.length - 1] = span.to;
    }
  }
  return { from, to };
}

/** Returns the last index, in ascending order, that meets a condition; -1 if none does. */
function lastIndex(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const half = 64n;
const lowMask = (1n << half) - 1n;

/** Stores 128-bit numbers as pairs of 64 bits, the higher one first. */
function halvesOf(keys: readonly bigint[]): BigUint64Array {
  const halves = new BigUint64Array(keys.length * 2);
  for (const [index, key] of keys.entries()) {
    halves[index * 2] = key >> half;
    halves[index * 2 + 1] = key & lowMask;
  }
  return halves;
}

/** Compares a stored number with the halves of another. Rarely needs the lower half. */
function order6(halves: BigUint64Array, index: number, high: bigint, low: bigint): number {
  const storedHigh = halves[index * 2] ?? 0n;
  if (storedHigh !== high) return storedHigh < high ? -1 : 1;
  const storedLow = halves[index * 2 + 1] ?? 0n;
  return storedLow === low ? 0 : storedLow < low ? -1 : 1;
}
