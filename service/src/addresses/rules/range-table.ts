import type { AddressKey } from './public-key.js';

/** Range of addresses, both ends included. */
export interface Span<Key extends AddressKey> {
  readonly from: Key;
  readonly to: Key;
}

/** Ranges of IPv4 and IPv6 addresses. In each list, the ranges are sorted and disjoint. */
export interface Spans {
  readonly v4: readonly Span<number>[];
  readonly v6: readonly Span<bigint>[];
}

/** Table of many ranges, in typed arrays: a million ranges take 8 MB (IPv4) or 32 MB (IPv6), and a look-up 20 steps. */
export interface RangeTable {
  /** Returns the position of the range that contains an address, IPv4 before IPv6. Returns undefined if none does. */
  find(key: AddressKey): number | undefined;
  readonly size: number;
}

/** Creates a table of sorted, disjoint ranges. */
export function rangeTable({ v4, v6 }: Spans): RangeTable {
  const from4 = Uint32Array.from(v4, ({ from }) => from);
  const to4 = Uint32Array.from(v4, ({ to }) => to);
  const from6 = halvesOf(v6.map(({ from }) => from));
  const to6 = halvesOf(v6.map(({ to }) => to));
  return {
    size: v4.length + v6.length,
    find(key) {
      if (typeof key === 'number') {
        const index = lastIndex(v4.length, (at) => (from4[at] ?? 0) <= key);
        return index >= 0 && key <= (to4[index] ?? 0) ? index : undefined;
      }
      const index = lastIndex(v6.length, (at) => at6(from6, at) <= key);
      return index >= 0 && key <= at6(to6, index) ? v4.length + index : undefined;
    },
  };
}

/** Sorts ranges and joins those that overlap. */
export function joined<Key extends AddressKey>(spans: readonly Span<Key>[]): Span<Key>[] {
  const sorted = [...spans].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const result: Span<Key>[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (!last || span.from > last.to) result.push(span);
    else if (span.to > last.to) result[result.length - 1] = { from: last.from, to: span.to };
  }
  return result;
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

function at6(halves: BigUint64Array, index: number): bigint {
  return ((halves[index * 2] ?? 0n) << half) | (halves[index * 2 + 1] ?? 0n);
}
