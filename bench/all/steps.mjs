/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command A script of bench/package.json.
 * @property {readonly string[]} [options] For it. `markdown`: also `--markdown`, if the whole run has it.
 * @property {boolean} [markdown] Whether it has the option; the others always print Markdown.
 * @property {boolean} timed Whether its figures are times, which need a quiet machine.
 * @property {string} page Where its figures are published.
 */

/** Every benchmark that has figures in the docs, with the options that the docs name. @type {readonly Step[]} */
export const steps = [
  {
    name: 'cost',
    command: 'cost',
    markdown: true,
    timed: true,
    page: 'research/benchmarks.md#what-a-fingerprint-costs',
  },
  {
    name: 'prepared',
    command: 'prepared',
    markdown: true,
    timed: true,
    page: 'research/benchmarks.md#a-call-after-prepare',
  },
  { name: 'readings', command: 'readings', markdown: true, timed: true, page: 'research/benchmarks.md#cold' },
  {
    name: 'service',
    command: 'service',
    options: ['--database', 'postgresql', '--seconds', '12'],
    ...{ markdown: true, timed: true, page: 'research/benchmarks.md#throughput-of-the-service' },
  },
  {
    name: 'service-large',
    command: 'service',
    options: ['--seconds', '12', '--large'],
    ...{ markdown: true, timed: true, page: 'research/benchmarks.md#throughput-of-the-service' },
  },
  {
    name: 'addresses',
    command: 'addresses',
    options: ['--lookups', '100000'],
    ...{ markdown: true, timed: true, page: 'research/benchmarks.md#looking-an-address-up' },
  },
  {
    name: 'dashboard',
    command: 'dashboard',
    ...{ markdown: true, timed: true, page: 'research/benchmarks.md#how-long-the-dashboards-pages-take' },
  },
  {
    name: 'webhooks',
    command: 'webhooks',
    ...{ markdown: true, timed: true, page: 'research/benchmarks.md#one-dead-webhook-endpoint-among-five' },
  },
  { name: 'claims', command: 'claims', markdown: true, timed: true, page: 'research/service-costs.md#claims' },
  { name: 'velocity', command: 'velocity', markdown: true, timed: true, page: 'research/service-costs.md#counting' },
  { name: 'linking', command: 'linking', timed: true, page: 'research/service-costs.md#linking' },
  { name: 'faults', command: 'faults', markdown: true, timed: true, page: 'research/faults.md' },
  {
    name: 'pgbouncer',
    command: 'pgbouncer',
    markdown: true,
    timed: true,
    page: 'research/benchmarks.md#through-pgbouncer',
  },
  {
    name: 'limits',
    command: 'limits',
    markdown: true,
    timed: true,
    page: 'research/service-costs.md#rate-limits-of-several-processes',
  },
  { name: 'rolling', command: 'rolling', markdown: true, timed: true, page: 'research/faults.md#rolling-restart' },
  {
    name: 'failures',
    command: 'failures',
    options: ['--attempts', '1000'],
    markdown: true,
    timed: false,
    page: 'research/service-costs.md#failed-attempts',
  },
  {
    name: 'lists',
    command: 'lists',
    markdown: true,
    timed: true,
    page: 'research/service-costs.md#entries-of-lists',
  },
  {
    name: 'replay',
    command: 'replay',
    markdown: true,
    timed: true,
    page: 'research/service-costs.md#replays-of-rules',
  },
  {
    name: 'finder',
    command: 'finder',
    markdown: true,
    timed: true,
    page: 'research/service-costs.md#the-rule-finder',
  },
  { name: 'explain', command: 'explain', timed: false, page: 'research/benchmarks.md#throughput-of-the-service' },
  { name: 'identity', command: 'identity', markdown: true, timed: false, page: 'research/identity.md#results' },
  {
    name: 'held-out',
    command: 'identity',
    options: ['--held-out', '--only', '^build '],
    ...{ markdown: true, timed: false, page: 'research/identity.md#facet-by-facet' },
  },
  {
    name: 'components',
    command: 'components',
    markdown: true,
    timed: false,
    page: 'research/identity.md#the-best-choice-of-components',
  },
  { name: 'workers', command: 'workers', markdown: true, timed: false, page: 'research/readings.md#the-worker' },
  {
    name: 'workers-held-out',
    command: 'workers',
    options: ['--held-out'],
    ...{ markdown: true, timed: false, page: 'research/readings.md#the-worker' },
  },
  {
    name: 'candidates',
    command: 'candidates',
    timed: false,
    page: 'research/readings.md#candidates-that-were-measured',
  },
  {
    name: 'spoofers',
    command: 'spoofers',
    ...{ markdown: true, timed: false, page: 'research/identity.md#spoofers-and-driven-browsers' },
  },
  { name: 'stacks', command: 'stacks', timed: false, page: 'research/identity.md#normal-browsers-and-driven-browsers' },
  {
    name: 'undriven',
    command: 'stacks',
    options: ['--undriven', '5'],
    ...{ timed: false, page: 'research/identity.md#normal-browsers-and-driven-browsers' },
  },
  {
    name: 'population',
    command: 'population',
    options: ['--followed', '600'],
    ...{ timed: false, page: 'research/identity.md#a-population' },
  },
  {
    name: 'population-seed-2',
    command: 'population',
    options: ['--followed', '600', '--no-peers', '--seed', '2'],
    ...{ timed: false, page: 'research/identity.md#a-population' },
  },
  {
    name: 'crowds',
    command: 'population',
    options: ['--no-linking', '--every', '28'],
    ...{ timed: false, page: 'research/identity.md#a-population' },
  },
  {
    name: 'risk',
    command: 'risk',
    options: ['--people', '4000', '--proofs', '0,0.9'],
    ...{ timed: false, page: 'research/risk-measured.md' },
  },
];
