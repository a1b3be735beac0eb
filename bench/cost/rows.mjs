import { summarise } from './stats.mjs';

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {import('./bundle.mjs').Bundle} bundle
 * @property {import('./measure-all.mjs').Loads} loads
 * @property {boolean} isPeer
 */

/**
 * @typedef {object} Row
 * @property {string} title
 * @property {(number | undefined)[]} values One for each column.
 * @property {number} [ratio] The value of the first column, divided by the best value of its peers.
 * @property {Target} [target]
 */

/**
 * @typedef {object} Target Maximum of the ratio or of the value.
 * @property {number} [ratio]
 * @property {number} [value]
 */

/** 1 KB is 1,000 bytes. */
const targets = {
  coldTime: { ratio: 0.5 },
  warmTime: { ratio: 0.3 },
  gapAtP95: { ratio: 0.25 },
  script: { value: 10_500 },
  bundle: { value: 8000 },
};

/**
 * Returns all rows of a scenario's table. Sizes are the same in all, and are rows of the warm one.
 *
 * @param {readonly Column[]} columns The library first. The others may be peers, or only be shown.
 * @param {{ cold: boolean }} options
 * @returns {Row[]}
 */
export function toRows(columns, { cold }) {
  /**
   * @param {string} title @param {(column: Column) => number | undefined} read @param {Target} [target] @returns {Row}
   */
  const compared = (title, read, target) => {
    const values = columns.map(read);
    const [own] = values;
    const others = values.filter((_, index) => columns[index]?.isPeer);
    const best = Math.min(...others.filter((value) => value !== undefined && !Number.isNaN(value)));
    const ratio = own !== undefined && Number.isFinite(best) ? own / best : undefined;
    return { title, values, ...(ratio !== undefined && { ratio }), ...(target && { target }) };
  };
  /** @param {string} title @param {(loads: Column['loads']) => number[]} pick @param {(Target | undefined)[]} [aims] For the median and p95. */
  const spread = (title, pick, [medianTarget, p95Target] = []) => [
    compared(`${title}, median`, ({ loads }) => summarise(pick(loads)).median, medianTarget),
    compared(`${title}, p95`, ({ loads }) => summarise(pick(loads)).p95, p95Target),
  ];
  /** @param {keyof import('./load.mjs').Load} key @returns {(loads: Column['loads']) => number[]} */
  const quiet = (key) => (loads) => loads.quiet.map((load) => Number(load[key]));
  return [
    ...spread('time to hash, ms', quiet('timeMs'), [cold ? targets.coldTime : targets.warmTime]),
    ...spread('longest gap, ms', ({ ticking }) => ticking.map(({ gapMs = Number.NaN }) => gapMs), [
      undefined,
      targets.gapAtP95,
    ]),
    ...spread('main thread busy, ms', quiet('taskMs')),
    ...spread('main thread processor time, ms', quiet('threadMs')),
    ...spread('process, all threads, ms', quiet('processMs')),
    counted('longest reported task (50 ms or more), ms', ({ loads }) => Math.max(0, ...quiet('longTaskMs')(loads))),
    ...(cold ? [] : sizes('script-tag file', ({ bundle }) => bundle.scriptBytes, targets.script)),
    ...(cold ? [] : sizes('hash call only', ({ bundle }) => bundle.bundleBytes, targets.bundle)),
    counted('attempted requests', ({ loads }) => allOf(loads).reduce((sum, { refused }) => sum + refused.length, 0)),
    counted('different hashes', ({ loads }) => new Set(allOf(loads).map(({ hash }) => hash)).size),
    counted('failed loads', ({ loads }) => loads.errors.length),
  ];

  /** @param {string} title @param {(column: Column) => number} read @returns {Row} */
  function counted(title, read) {
    return { title, values: columns.map(read) };
  }

  /**
   * @param {string} title @param {(column: Column) => import('./bundle.mjs').Bytes | undefined} pick @param {Target}
   * target
   */
  function sizes(title, pick, target) {
    return /** @type {const} */ (['min', 'gzip', 'brotli']).map((form) =>
      compared(`${title}, bytes ${form}`, (column) => pick(column)?.[form], form === 'gzip' ? target : undefined),
    );
  }
}

/** @param {Row} row @returns {boolean | undefined} Whether its target is met; undefined without one. */
export function meetsTarget({ values, ratio, target }) {
  if (target?.ratio !== undefined) return ratio !== undefined && ratio <= target.ratio;
  if (target?.value !== undefined) return (values[0] ?? Number.NaN) <= target.value;
  return undefined;
}

/** @param {Column['loads']} loads */
function allOf({ quiet, ticking }) {
  return [...quiet, ...ticking];
}
