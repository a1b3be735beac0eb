/**
 * Creates a seeded generator of numbers from 0 to below 1 (sfc32 by Chris Doty-Humphrey, public domain), so that runs
 * are repeatable.
 */
export function seeded(seed: number): () => number {
  let a = seed | 0;
  let b = 0x9e3779b9;
  let c = 0x243f6a88;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let warm = 0; warm < 16; warm++) next();
  return next;
}

/** Draws from `[value, weight]` pairs, of which there is at least one. The weights need not add up to 1. */
export function chooser<Value>(entries: readonly (readonly [Value, number])[]): (random: () => number) => Value {
  let sum = 0;
  const ends = entries.map(([, weight]) => {
    sum += weight;
    return sum;
  });
  return (random) => {
    const at = random() * sum;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    const entry = entries[low];
    if (!entry) throw new Error('There is nothing to draw from');
    return entry[0];
  };
}

/** Returns a random element of a list that is not empty. */
export function pick<Value>(list: readonly Value[], random: () => number): Value {
  const value = list[Math.floor(random() * list.length)];
  if (value === undefined) throw new Error('There is nothing to draw from');
  return value;
}
