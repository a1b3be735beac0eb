// Calculates what a rate of evaluations needs, from measured costs of one evaluation and stated assumptions.
//   node capacity/main.mjs [--rates 1000,10000,100000] [--service-ms 2] [--database-ms 2] [--markdown]
import { parseArgs } from 'node:util';
import { alignCells } from '../cost/table.mjs';

const text = (/** @type {string} */ value) => ({ type: /** @type {const} */ ('string'), default: value });
const { values } = parseArgs({
  options: {
    // At the busiest time, per second.
    rates: text('1000,10000,100000'),
    // Processor time of an evaluation: "npm run --prefix bench service".
    'service-ms': text('2'),
    'database-ms': text('2'),
    // What an evaluation of a public address stores, with indexes: "npm run --prefix bench volumes".
    bytes: text('1070'),
    // Processor time of a Citus coordinator, over that of PostgreSQL without Citus: "npm run --prefix bench citus".
    coordinator: text('2'),
    // The busiest hour is so many times the average.
    peak: text('3'),
    // Part of the processors that is used at the busiest time.
    used: text('0.5'),
    // The largest server, in processors, and the largest disk in TB.
    'largest-server': text('64'),
    'largest-disk': text('16'),
    days: text('90'),
    // Prices a month: of a virtual processor with 4 GB of memory, and of a GB of disk.
    'price-processor': text('30'),
    'price-gb': text('0.10'),
    markdown: { type: 'boolean', default: false },
  },
});
const number = (/** @type {Exclude<keyof typeof values, 'markdown'>} */ name) => Number(values[name]);
const secondsPerDay = 86_400;

const rows = values.rates.split(',').map((rate) => lineOf(Number(rate)));
const headings = [
  'evaluations per second',
  'service',
  'database, each with a standby',
  'memory of a database',
  'disk of each database',
  'more servers because of',
  'dollars a month',
];
console.log(alignCells([headings, ...rows], values.markdown));
const perServer = (number('largest-server') * number('used') * 1000) / number('database-ms');
console.log(
  `\nThe largest database server (${values['largest-server']} processors) handles ${format(perServer)} evaluations per second, ` +
    `and as a Citus coordinator of that size ${format(perServer / number('coordinator'))}.`,
);

/** @param {number} rate */
function lineOf(rate) {
  const processorsFor = (/** @type {number} */ ms) => (rate * ms) / 1000 / number('used');
  const service = Math.max(2, Math.ceil(processorsFor(number('service-ms')) / 2) * 2);
  const needed = processorsFor(number('database-ms'));
  const gigabytes = ((rate / number('peak')) * secondsPerDay * number('days') * number('bytes')) / 1e9;
  const byProcessors = Math.ceil(needed / number('largest-server'));
  const byDisk = Math.ceil(gigabytes / 1000 / number('largest-disk'));
  const servers = Math.max(byProcessors, byDisk);
  // Servers have 2, 4, 8 and so on.
  const size = Math.min(number('largest-server'), Math.max(2, 2 ** Math.ceil(Math.log2(needed / servers))));
  const copies = 2;
  const price =
    number('price-processor') * (service + copies * servers * size) + number('price-gb') * copies * gigabytes;
  return [
    format(rate),
    `${service} processors`,
    `${servers} × ${size} processors`,
    `${4 * size} GB`,
    `${format(gigabytes / servers / 1000)} TB`,
    servers === 1 ? '' : byDisk > byProcessors ? 'disk' : 'processors',
    format(price),
  ];
}

/** Formats with three significant digits. @param {number} value */
function format(value) {
  return Number(value.toPrecision(3)).toLocaleString('en-GB');
}
