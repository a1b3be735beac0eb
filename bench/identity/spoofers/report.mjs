import { compare, facets, parse, priors, readIntegrity } from '../../../dist/fingerprint.js';
import { peerNames } from './server.mjs';

/** The bits that the service counts as tampering and as automation (service/src/evaluation/rules/detectors). */
const automation = ['webdriver', 'headless_user_agent', 'driver_traces', 'inspected', 'unreadable_check'];
const noise = ['canvas_noise', 'audio_noise'];

/** @param {string} fingerprint */
function bitsOf(fingerprint) {
  const bits = readIntegrity(mustParse(fingerprint).integrity);
  return {
    automation: bits.filter((bit) => automation.includes(bit)),
    tampering: bits.filter((bit) => !automation.includes(bit) && !noise.includes(bit)),
  };
}

/** @param {string} fingerprint */
function mustParse(fingerprint) {
  const parsed = parse(fingerprint);
  if (!parsed) throw new Error(`Not a fingerprint: ${fingerprint}`);
  return parsed;
}

/**
 * Returns the names of the facets whose digests differ.
 *
 * @param {string} a
 * @param {string} b
 */
function differing(a, b) {
  const [left, right] = [mustParse(a).facets, mustParse(b).facets];
  return facets.map(({ name }) => name).filter((name) => left[name] !== right[name]);
}

/**
 * Returns one line for each spoofing tool, with and without a worker.
 *
 * @param {import('./runs.mjs').Run[]} runs
 * @returns {string[][]}
 */
export function spoofedTable(runs) {
  const heading = [
    'spoofer',
    'worker',
    'tampering',
    'facts, minimum',
    'same, project',
    'same, user',
    'same facets',
    'hardware',
    'moved',
  ];
  const lines = runs.flatMap(({ name, reference, reads }) =>
    /** @type {const} */ (['fingerprint', 'withWorker']).map((key) => {
      const of = (/** @type {number} */ count) => `${count}/${reads.length}`;
      const count = (/** @type {(read: import('./read.mjs').Read) => boolean} */ holds) =>
        of(reads.filter(holds).length);
      const same = (/** @type {number} */ prior) =>
        count((read) => compare(reference.fingerprint, read[key], { prior }).same);
      const moved = reads.map((read) => differing(reference.fingerprint, read[key]));
      const hardware = facets.filter(({ group }) => group === 'hardware').map((facet) => facet.name);
      return [
        name,
        key === 'withWorker' ? 'yes' : 'no',
        count((read) => bitsOf(read[key]).tampering.length > 0),
        String(Math.min(...reads.map((read) => bitsOf(read[key]).tampering.length))),
        same(priors.project),
        same(priors.user),
        of(moved.filter((names) => names.length === 0).length),
        of(moved.filter((names) => !names.some((moving) => hardware.includes(moving))).length),
        tally(moved.flat()),
      ];
    }),
  );
  return [heading, ...lines];
}

/**
 * Returns how often each peer identified another device, that is, returned a hash that differs from the one without spoofing.
 *
 * @param {import('./runs.mjs').Run[]} runs
 */
export function peerTable(runs) {
  const lines = runs.map(({ name, reference, reads }) => [
    name,
    ...peerNames.map((peer) => {
      const others = reads.map((read) => read.peers[peer]).filter((hash) => hash !== reference.peers[peer]);
      return `${others.length}/${reads.length}, ${new Set(others).size} different`;
    }),
  ]);
  return [['identified as another device', ...peerNames], ...lines];
}

/**
 * Returns how often each sign of tampering was found, with and without a worker.
 *
 * @param {import('./runs.mjs').Run[]} runs
 */
export function evidenceTable(runs) {
  const lines = runs.map(({ name, reads }) => [
    name,
    tally(reads.flatMap((read) => bitsOf(read.fingerprint).tampering)),
    tally(reads.flatMap((read) => bitsOf(read.withWorker).tampering)),
  ]);
  return [['facts', 'without a worker', 'with one'], ...lines];
}

/**
 * Returns the evidence found in clean and in automated browsers.
 *
 * @param {{ name: string, posted: import('./server.mjs').Posted }[]} browsers
 */
export function postedTable(browsers) {
  const lines = browsers.map(({ name, posted: { fingerprint, withWorker } }) => {
    const { automation: driven, tampering } = bitsOf(withWorker);
    return [name, driven.join(' ') || '–', tampering.join(' ') || '–', fingerprint === withWorker ? 'yes' : 'no'];
  });
  return [['browser', 'automation', 'tampering', 'same with worker'], ...lines];
}

/** @param {string[]} names */
function tally(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || '–';
}
