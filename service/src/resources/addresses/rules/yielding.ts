/** How long the work runs before other requests get a turn. */
const sliceMs = 5;

/** Resolves at once, or after other requests had a turn if the work has run for 5 ms. */
export type Yield = () => Promise<void> | undefined;

/** Creates a `Yield` for one piece of work. Call it at least once a millisecond. */
export function createYield(): Yield {
  let resumedAt = performance.now();
  return () => {
    if (performance.now() - resumedAt < sliceMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        resumedAt = performance.now();
        resolve();
      });
    });
  };
}

/** Items between two checks of the time; also the length of the parts that are sorted at once. */
const batch = 256;

/**
 * Sorts a list by merging sorted parts, without holding up other requests. `Array.prototype.sort` would do so for as long
 * as it takes.
 */
export async function sortYielding<Item>(
  items: readonly Item[],
  isBefore: (a: Item, b: Item) => boolean,
  pause: Yield,
): Promise<readonly Item[]> {
  let sorted: Item[] = [];
  for (let start = 0; start < items.length; start += batch) {
    const part = items.slice(start, start + batch);
    sorted.push(...part.sort((a, b) => (isBefore(a, b) ? -1 : Number(isBefore(b, a)))));
    await pause();
  }
  for (let width = batch; width < items.length; width *= 2) {
    const merged: Item[] = [];
    for (let start = 0; start < sorted.length; start += width * 2) {
      const middle = Math.min(start + width, sorted.length);
      const end = Math.min(start + width * 2, sorted.length);
      let left = start;
      let right = middle;
      while (left < middle || right < end) {
        const a = left < middle ? sorted[left] : undefined;
        const b = right < end ? sorted[right] : undefined;
        if (a !== undefined && (b === undefined || !isBefore(b, a))) {
          merged.push(a);
          left += 1;
        } else if (b !== undefined) {
          merged.push(b);
          right += 1;
        }
        if (merged.length % batch === 0) await pause();
      }
    }
    sorted = merged;
  }
  return sorted;
}
