/** Each class of times is a tenth wider than the one before: precise enough for a person, and few to count. */
const growth = 1.1;

/** The natural logarithm by which the database finds a time's class: `floor(ln(seconds) / classWidth)`. */
export const classWidth = Math.log(growth);

/**
 * The median of times that are known by their classes, in seconds: within 5 % of the true one. Undefined where there are
 * none.
 *
 * @param counts How many times each class has.
 */
export function medianSeconds(counts: ReadonlyMap<number, number>): number | undefined {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  for (const [name, count] of sorted) {
    before += count;
    if (before * 2 >= total) return growth ** (name + 0.5);
  }
  return undefined;
}
