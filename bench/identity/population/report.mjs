import { wilson } from '../../../service/dist/testing.js';
import { provenanceLine } from '../../provenance.mjs';
import { modelledFacets } from './facets-of.mjs';

/**
 * Returns how many devices share a value with a device, by mean and median, for each facet and for groups of facets.
 */
export function crowds({ names, now }) {
  const sizes = (keyOf) => {
    const counts = new Map();
    for (const fingerprint of now) counts.set(keyOf(fingerprint), (counts.get(keyOf(fingerprint)) ?? 0) + 1);
    const each = now.map((fingerprint) => counts.get(keyOf(fingerprint))).sort((a, b) => a - b);
    return {
      values: counts.size,
      mean: each.reduce((sum, size) => sum + size, 0) / each.length,
      median: each[each.length >> 1],
      alone: (counts.size && each.filter((size) => size === 1).length) / each.length,
    };
  };
  const rows = names.map((name, at) => ({
    name,
    modelled: modelledFacets.includes(name),
    ...sizes(({ values }) => values[at]),
  }));
  const group = (name, from, to) => ({ name, ...sizes(({ values }) => values.slice(from, to).join()) });
  return [...rows, group('hardware', 0, 7), group('software', 7, 16), group('setting', 16, 21), group('all', 0, 21)];
}

const whole = (number) => Math.round(number).toLocaleString('en');

function table(head, rows) {
  const all = [head, head.map(() => '---'), ...rows];
  return all.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const caption = ({ devices, visits, visitEveryDays, seed, seconds, followed = devices }) =>
  `${whole(devices)} devices${followed === devices ? '' : `, of which ${whole(followed)} are followed`}, ${whole(visits)} visits in a year, one every ${visitEveryDays} days; seed ${seed}; ${whole(seconds)} s. ${provenanceLine()}`;

export function linkingReport(results) {
  return [
    caption(results),
    table(
      [
        'linking',
        'tracked, mean days',
        'longest chain, mean days',
        'identities per device',
        'visits given to another device',
        'devices with such a visit',
        '95% interval',
      ],
      results.tracked.map(({ name, meanDays, longestDays, identitiesPerDevice, visitsToAnother, ...counts }) => [
        name,
        meanDays.toFixed(1),
        longestDays.toFixed(1),
        identitiesPerDevice.toFixed(2),
        `${(visitsToAnother * 100).toFixed(2)}%`,
        `${counts.devicesToAnother} of ${whole(counts.devices)}`,
        intervalOf(counts.devicesToAnother, counts.devices),
      ]),
    ),
  ].join('\n\n');
}

/** Returns the interval of a share of devices. The visits of one device are not independent. */
function intervalOf(hits, count) {
  const { low, high } = wilson(hits, count);
  return `${(low * 100).toFixed(2)}% to ${(high * 100).toFixed(2)}%`;
}

export function report(results) {
  const { errors, crowds: rows } = results;
  return [
    caption(results),
    `Equal error rate of compare, consecutive visits: ${(results.equalErrorRateOfNeighbours.rate * 100).toFixed(3)}%; any two visits: ${(results.equalErrorRate.rate * 100).toFixed(3)}%, at ${results.equalErrorRate.bits.toFixed(1)} bits; of counting equal facets: ${(results.equalErrorRateOfCounting.rate * 100).toFixed(3)}%.`,
    table(
      [
        ...['prior', 'false merges per million comparisons', 'same device missed'],
        ...['counting: equal facets, at least', 'false merges', 'missed'],
      ],
      errors.map(({ name, mergedPerMillion, missed, counting }) => [
        ...[name, mergedPerMillion.toFixed(1), `${(missed * 100).toFixed(2)}%`],
        ...[whole(counting.least), counting.mergedPerMillion.toFixed(1), `${(counting.missed * 100).toFixed(2)}%`],
      ]),
    ),
    table(
      ['facet', 'values', 'devices with the same value, mean', 'median', 'unique'],
      rows.map(({ name, modelled, values, mean, median, alone }) => [
        modelled ? `${name} (modelled)` : name,
        whole(values),
        whole(mean),
        whole(median),
        `${(alone * 100).toFixed(2)}%`,
      ]),
    ),
  ].join('\n\n');
}
