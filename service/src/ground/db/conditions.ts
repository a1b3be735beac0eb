import { type RawBuilder, sql } from 'kysely';

/** Returns SQL that all conditions hold; undefined if there are none. What is not a condition is left out. */
export function allOf(
  conditions: readonly (RawBuilder<unknown> | string | number | boolean | null | undefined)[],
): RawBuilder<boolean> | undefined {
  const present = conditions.filter((condition) => typeof condition === 'object' && condition !== null);
  return present.length > 0 ? sql<boolean>`(${sql.join(present, sql` and `)})` : undefined;
}

/** Returns SQL that an address is the given one, or in the given range. */
export function addressIs(column: string, ip: string): RawBuilder<boolean> {
  const stored = sql.ref(column);
  return ip.includes('/') ? sql<boolean>`${stored}::inet <<= ${ip}::inet` : sql<boolean>`${stored} = ${ip}`;
}
