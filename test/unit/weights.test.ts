import { expect, test } from 'vitest';
import { facets } from '../../src/fingerprint/facets.js';
import { weights } from '../../src/fingerprint/weights.js';

const rows = facets.map(({ name, group }) => ({ name, group, ...weights[name] }));

test.each(rows)('$name has valid probabilities, share and half-life', (row) => {
  const { u, m, lasting, halfLifeDays, damping } = row;
  expect(u).toBeGreaterThan(0);
  expect(u).toBeLessThan(1);
  // With 1, a single difference would be infinite evidence.
  expect(m).toBeGreaterThan(u);
  expect(m).toBeLessThan(1);
  expect(lasting).toBeGreaterThanOrEqual(0);
  expect(lasting).toBeLessThanOrEqual(1);
  expect(halfLifeDays).toBeGreaterThan(0);
  expect(damping).toBeGreaterThan(0);
  expect(damping).toBeLessThanOrEqual(1);
});

test.each(rows.filter(({ group }) => group === 'hardware'))(
  'another $name does not become plausible with time',
  ({ lasting, m }) => {
    expect(lasting).toBe(1);
    // Less than 1 in 100, the odds of a matching last fingerprint.
    expect(1 - m).toBeLessThan(1 / 100);
  },
);

test.each(rows.filter(({ group }) => group === 'software'))('every $name changes eventually', ({ lasting }) => {
  expect(lasting).toBeLessThanOrEqual(0.5);
});
