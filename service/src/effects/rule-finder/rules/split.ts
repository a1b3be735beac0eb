import type { Rows } from './comparisons.js';
import type { Samples } from './samples.js';

/** Rows of the half that is searched, and of the half on which the result is tested. */
export interface Halves {
  readonly searched: Rows;
  readonly heldOut: Rows;
}

/** Rows that are read in one step. */
const rowsOfStep = 5000;

/**
 * Splits labelled evaluations by person, at random, so that nobody is in both halves. Of a person with fraud, one such
 * evaluation counts, drawn at random: several are not independent of each other. Yields between short steps.
 */
export function* split({ persons, isFraud }: Samples, random: () => number): Generator<undefined, Halves> {
  const fraudOf = new Map<number, number[]>();
  const honestOf = new Map<number, number[]>();
  for (const [row, person] of persons.entries()) {
    const rows = isFraud[row] ? fraudOf : honestOf;
    const own = rows.get(person);
    if (own) own.push(row);
    else rows.set(person, [row]);
    if (row % rowsOfStep === 0) yield;
  }
  // Halved apart from the others, so that both halves have as many people with fraud.
  const [frauds, others] = [[...fraudOf.keys()], [...honestOf.keys()].filter((person) => !fraudOf.has(person))];
  const halves = [shuffled(frauds, random), shuffled(others, random)].map((those) => {
    const middle = Math.ceil(those.length / 2);
    return [those.slice(0, middle), those.slice(middle)] as const;
  });
  const rowsOf = (people: readonly number[]): Rows => ({
    fraud: people.flatMap((person) => {
      const rows = fraudOf.get(person) ?? [];
      return rows[Math.floor(random() * rows.length)] ?? [];
    }),
    honest: people.flatMap((person) => honestOf.get(person) ?? []),
  });
  yield;
  const searched = rowsOf(halves.flatMap(([first]) => first));
  yield;
  return { searched, heldOut: rowsOf(halves.flatMap(([, second]) => second)) };
}

/** Returns the values in random order (Fisher and Yates). */
function shuffled(values: readonly number[], random: () => number): number[] {
  const result = [...values];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] ?? 0, result[last] ?? 0];
  }
  return result;
}
