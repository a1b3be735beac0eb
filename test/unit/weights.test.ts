import { expect, test } from 'vitest';
import { facets } from '../../src/fingerprint/facets.js';
import { weights } from '../../src/fingerprint/weights.js';

const rows = facets.map(({ name, group }) => ({ name, group, ...weights[name] }));

test.each(rows)('$name has chances, a share and a time that the model can use', (row) => {
  const { u, m, lasting, halfLifeDays, damping } = row;
  expect(u).toBeGreaterThan(0);
  expect(u).toBeLessThan(1);
  // 1 would make a single difference infinite evidence.
  expect(m).toBeGreaterThan(u);
  expect(m).toBeLessThan(1);
  expect(lasting).toBeGreaterThanOrEqual(0);
  expect(lasting).toBeLessThanOrEqual(1);
  expect(halfLifeDays).toBeGreaterThan(0);
  expect(damping).toBeGreaterThan(0);
  expect(damping).toBeLessThanOrEqual(1);
});

test.each(rows.filter(({ group }) => group === 'hardware'))('time does not excuse another $name', ({ lasting, m }) => {
  expect(lasting).toBe(1);
  // Less than one in a hundred, the odds that a matching last fingerprint gives.
  expect(1 - m).toBeLessThan(1 / 100);
});

test.each(rows.filter(({ group }) => group === 'software'))('every $name changes in the end', ({ lasting }) => {
  expect(lasting).toBeLessThanOrEqual(0.5);
});
