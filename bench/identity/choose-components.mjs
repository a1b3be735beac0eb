// Chooses the components of a peer with the results in hand. Pure.

/**
 * @typedef {Record<string, string>} Leaves Values as JSON, by the path of the component.
 * @typedef {'same' | 'upgrade' | 'different' | 'ambiguous'} PairKind
 * @typedef {{ kind: PairKind, a: Leaves, b: Leaves }} Pair
 * @typedef {{ kind: PairKind, moved: Set<string> }} Moved The components that differ.
 */

/** What a string of the chosen components should do for each kind. Ambiguous pairs have no right answer. */
const right = { same: 'equal', upgrade: 'equal', different: 'differs' };

/** @param {Leaves} leaves */
const isRead = (leaves) => Object.keys(leaves).length > 0;

/**
 * Returns the choice that was found, and what a hash of these components does: for each kind, the number of pairs with
 * equal hashes and with different ones. Pairs in which a side has no components are in neither.
 *
 * @param {readonly Pair[]} pairs
 */
export function chooseComponents(pairs) {
  const paths = [...new Set(pairs.flatMap(({ a, b }) => [...Object.keys(a), ...Object.keys(b)]))].sort();
  const all = pairs
    .filter(({ a, b }) => isRead(a) && isRead(b))
    .map(({ kind, a, b }) => ({ kind, moved: new Set(paths.filter((path) => a[path] !== b[path])) }));
  const chosen = best(paths, all);
  const counts = Object.fromEntries(
    /** @type {const} */ (['same', 'upgrade', 'different', 'ambiguous']).map((kind) => {
      const own = all.filter((pair) => pair.kind === kind);
      const equal = own.filter(({ moved }) => !chosen.some((path) => moved.has(path))).length;
      const of = pairs.filter((pair) => pair.kind === kind).length;
      return [kind, { equal, differs: own.length - equal, of }];
    }),
  );
  return { paths, chosen, counts };
}

/**
 * Adds or removes the component that most raises the score, until none does: from the components that never move on one
 * device, and from none. A better choice may exist, because not all choices are tried.
 *
 * @param {readonly string[]} paths
 * @param {readonly Moved[]} pairs
 */
function best(paths, pairs) {
  const stable = paths.filter((path) => !pairs.some(({ kind, moved }) => right[kind] === 'equal' && moved.has(path)));
  const found = [stable, []].map((start) => climb(paths, start, pairs));
  return found.toSorted((a, b) => b.score - a.score || a.chosen.length - b.chosen.length)[0]?.chosen ?? [];
}

/** @param {readonly string[]} paths @param {readonly string[]} start @param {readonly Moved[]} pairs */
function climb(paths, start, pairs) {
  let chosen = start;
  let score = scoreOf(chosen, pairs);
  for (;;) {
    const next = paths
      .map((path) => (chosen.includes(path) ? chosen.filter((each) => each !== path) : [...chosen, path]))
      .map((choice) => ({ choice, score: scoreOf(choice, pairs) }))
      .reduce((a, b) => (b.score > a.score ? b : a));
    if (next.score <= score) return { chosen, score };
    chosen = next.choice;
    score = next.score;
  }
}

/** Returns the sum of the shares of right answers, one for each kind. @param {readonly string[]} chosen @param {readonly Moved[]} pairs */
function scoreOf(chosen, pairs) {
  return Object.entries(right).reduce((sum, [kind, answer]) => {
    const own = pairs.filter((pair) => pair.kind === kind);
    if (own.length === 0) return sum;
    const differ = own.filter(({ moved }) => chosen.some((path) => moved.has(path))).length;
    return sum + (answer === 'differs' ? differ : own.length - differ) / own.length;
  }, 0);
}
