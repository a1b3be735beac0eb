/**
 * Creates a seeded generator of numbers from 0 to below 1 (sfc32 by Chris Doty-Humphrey, public domain), so that runs
 * are repeatable.
 */
export function seeded(seed) {
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

/** Draws from `[value, weight]` pairs. The weights need not add up to 1. */
export function chooser(entries) {
  const values = entries.map(([value]) => value);
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
      if (ends[middle] > at) high = middle;
      else low = middle + 1;
    }
    return values[low];
  };
}

/** Draws the number of days until an event that happens `rate` times a day on average. */
export function waiting(random, rate) {
  return rate > 0 ? -Math.log(1 - random()) / rate : Infinity;
}
