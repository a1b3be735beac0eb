/**
 * Published numbers of different values among 8,400 people (Berke et al., PoPETs 2025). Figures from the paper, not from
 * its data.
 */
const people = 8400;
const published = [
  { name: 'gpu', values: 654, of: 'WebGL renderers, with versions' },
  { name: 'fonts', values: 555, of: 'sets of fonts' },
  { name: 'text', values: 951, of: 'canvas texts' },
];

/** Returns a table of the different values among as many simulated devices, on their first day, and in the paper. */
export function marginals({ names, now }) {
  const sample = now.slice(0, people);
  const rows = published.map(({ name, values, of }) => {
    const found = new Set(sample.map((fingerprint) => fingerprint.values[names.indexOf(name)]));
    return `| \`${name}\` | ${found.size} | ${values} ${of} |`;
  });
  return [`| facet | values of ${sample.length} simulated devices | of 8,400 people |`, '|---|---|---|', ...rows].join(
    '\n',
  );
}
