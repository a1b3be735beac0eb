import { medianOf } from './measure.mjs';

/**
 * @typedef {object} Row
 * @property {string} title
 * @property {number | undefined} value
 * @property {Bound} [target]
 */

/** @typedef {{ atLeast: number } | { atMost: number }} Bound */

/** On two shared cores, with PostgreSQL on the same machine. */
const targets = {
  perSecond: { atLeast: 600 },
  p99AtHalf: { atMost: 25 },
  overPeer: { atLeast: 0.5 },
  growth: { atMost: 1.3 },
  none: { atMost: 0 },
};

/**
 * Returns all rows of the table for one database. Targets apply to PostgreSQL. The target of no failures applies to both.
 *
 * @param {import('./postgresql-run.mjs').Run} run
 * @returns {Row[]}
 */
export function toRows({ database, saturated, atHalf, grown, scanned }) {
  const isTarget = database !== 'embedded';
  const bound = (/** @type {Bound} */ target) => (isTarget ? { target } : {});
  const all = [...saturated, ...atHalf, ...grown];
  const perSecond = (/** @type {string} */ name) => medianOf(saturated, name, (one) => one.perSecond);
  const ms = (/** @type {'p50' | 'p95' | 'p99'} */ name, target = 'service') =>
    medianOf(atHalf, target, (one) => one.ms[name]);
  const hasPeer = atHalf.some(({ target }) => target === 'peer');
  const peers = [...new Set(saturated.map(({ target }) => target))].filter((name) => name.startsWith('peer'));
  const ratio = (/** @type {string} */ name, /** @type {string} */ peer) => perSecond(name) / perSecond(peer);
  const p50 = (/** @type {string} */ name) => medianOf(grown, name, (one) => one.ms.p50);
  const processor = (/** @type {string} */ name) =>
    medianOf(saturated, name, (one) => one.processor.own + (one.processor.database || 0));
  return [
    { title: 'evaluations per second, saturated', value: perSecond('service'), ...bound(targets.perSecond) },
    { title: 'at half of the maximum, p50, ms', value: ms('p50') },
    { title: 'p95, ms', value: ms('p95') },
    { title: 'p99, ms', value: ms('p99'), ...bound(targets.p99AtHalf) },
    ...(hasPeer
      ? [
          { title: 'peer at the same rate, p50, ms', value: ms('p50', 'peer') },
          { title: 'peer at the same rate, p99, ms', value: ms('p99', 'peer') },
        ]
      : []),
    { title: 'processor time of an evaluation, ms', value: processor('service') },
    ...peers.flatMap((peer) => [
      { title: `${peer}: requests per second`, value: perSecond(peer) },
      { title: `${peer}: processor time of a request, ms`, value: processor(peer) },
      {
        title: `service over ${peer}`,
        value: ratio('service', peer),
        ...(peer === 'peer' && { target: targets.overPeer }),
      },
      { title: `service, known devices only, over ${peer}`, value: ratio('service, known', peer) },
    ]),
    ...(grown.length > 0
      ? [
          { title: 'p50 with 10,000 devices, ms', value: p50('service') },
          { title: 'p50 with 1,000,000 devices, ms', value: p50('large') },
          { title: 'ratio of the two', value: p50('large') / p50('service'), target: targets.growth },
        ]
      : []),
    ...(scanned
      ? [{ title: 'growing tables with sequential scans', value: scanned.length, target: targets.none }]
      : []),
    { title: 'failed requests', value: all.reduce((sum, { failed }) => sum + failed, 0), target: targets.none },
  ];
}

/** @param {Row} row @returns {boolean | undefined} */
export function meetsTarget({ value, target }) {
  if (!target || value === undefined) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}
