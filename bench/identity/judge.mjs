// Evaluates the recorded readings, case by case and pair by pair. Pure: the package's functions are passed in, so that
// tests apply the same rules to the sources.

/**
 * @typedef {object} Fingerprints The required parts of `whorl/fingerprint`.
 * @property {typeof import('../../src/fingerprint/compare.js').compare} compare
 * @property {typeof import('../../src/fingerprint/compare.js').priors} priors
 * @property {typeof import('../../src/fingerprint/parse.js').parse} parse
 * @property {typeof import('../../src/fingerprint/facets.js').facets} facets
 *
 * @typedef {{ fingerprint: string, peers?: Record<string, { hash?: string }> }} Side
 * @typedef {{ id: string, kind: import('./cases.mjs').Kind, reference?: string, mayChange: readonly string[],
 *   elapsedDays?: number } & Side} Judged
 *
 * @typedef {object} Verdict
 * @property {string} a ID of the reference.
 * @property {string} b ID of the case.
 * @property {boolean} string Whether the fingerprints are the same string.
 * @property {boolean} hardware Whether the hardware groups agree: all facets that are readable on both sides are equal, and
 *   there are at least three.
 * @property {string[]} moved Facets readable on both sides that differ.
 * @property {string[]} lost Facets readable on only one side.
 * @property {string[]} unlisted Moved and lost facets that the case does not list.
 * @property {Readonly<Record<'project' | 'user' | 'userWithLast', number>>} confidence By prior.
 * @property {Readonly<Record<string, boolean | undefined>>} kept By peer: whether its hash is the same. Undefined if it
 *   returned no hash on one side.
 */

const unreadable = '~~~~';
const minHardwareFacets = 3;

/** Chromium's major versions are released every four weeks, so that is the time between two builds on one device. */
const daysBetweenMajors = 28;

/**
 * @param {Judged | (Side & { id: string })} a
 * @param {Judged} b
 * @param {Fingerprints} whorl
 * @param {number} [elapsedDays] Days between the two.
 * @returns {Verdict}
 */
export function judgePair(a, b, { compare, priors, parse, facets }, elapsedDays = b.elapsedDays ?? 0) {
  const left = parse(a.fingerprint)?.facets;
  const right = parse(b.fingerprint)?.facets;
  if (!left || !right) throw new Error(`${a.id} or ${b.id} has no fingerprint.`);
  const comparable = facets.filter(({ name }) => left[name] !== unreadable && right[name] !== unreadable);
  const moved = comparable.filter(({ name }) => left[name] !== right[name]);
  const lost = facets.filter(({ name }) => (left[name] === unreadable) !== (right[name] === unreadable));
  const namesOf = (/** @type {readonly { name: string }[]} */ list) => list.map(({ name }) => name);
  const confidenceAt = (/** @type {number} */ prior) =>
    compare(a.fingerprint, b.fingerprint, { prior, elapsedDays }).confidence;
  return {
    a: a.id,
    b: b.id,
    string: a.fingerprint === b.fingerprint,
    hardware:
      comparable.filter(({ group }) => group === 'hardware').length >= minHardwareFacets &&
      moved.every(({ group }) => group !== 'hardware'),
    moved: namesOf(moved),
    lost: namesOf(lost),
    unlisted: namesOf([...moved, ...lost]).filter((name) => !b.mayChange.includes(name)),
    confidence: {
      project: confidenceAt(priors.project),
      user: confidenceAt(priors.user),
      userWithLast: confidenceAt(priors.userWithLast),
    },
    kept: Object.fromEntries(
      Object.entries(b.peers ?? {}).map(([name, { hash }]) => {
        const before = a.peers?.[name]?.hash;
        return [name, hash === undefined || before === undefined ? undefined : hash === before];
      }),
    ),
  };
}

/**
 * Compares each case with its reference.
 *
 * @param {readonly Judged[]} cases
 * @param {Fingerprints} whorl
 * @returns {(Verdict & { kind: import('./cases.mjs').Kind })[]}
 */
export function judgeCases(cases, whorl) {
  return cases.flatMap((each) => {
    const reference = cases.find(({ id }) => id === each.reference);
    return reference ? [{ kind: each.kind, ...judgePair(reference, each, whorl) }] : [];
  });
}

/**
 * Compares every pair of the upgrade cases, in the order of their versions.
 *
 * @param {readonly Judged[]} cases
 * @param {Fingerprints} whorl
 * @returns {(Verdict & { adjacent: boolean })[]}
 */
export function judgeUpgrades(cases, whorl) {
  const majorOf = (/** @type {Side} */ { fingerprint }) => whorl.parse(fingerprint)?.descriptor.browserVersion ?? 0;
  const builds = cases.filter(({ kind }) => kind === 'upgrade').sort((a, b) => majorOf(a) - majorOf(b));
  return builds.flatMap((newer, index) =>
    builds.slice(0, index).map((older, at) => {
      const elapsedDays = (majorOf(newer) - majorOf(older)) * daysBetweenMajors;
      return { adjacent: at === index - 1, ...judgePair(older, newer, whorl, elapsedDays) };
    }),
  );
}
