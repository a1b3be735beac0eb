import { compileCondition } from '../../../resources/projects/rules/conditions/condition.js';
import { maxConditions } from './limits.js';
import type { Column, Samples } from './samples.js';

/** One fact compared with one value: a part of a condition. */
export interface Comparison {
  /** In CEL, such as `address.users_today >= 10`. */
  readonly text: string;
  readonly column: Column;
  /** Comparisons of one group are not combined, because one of them follows from the other, or excludes it. */
  readonly group: string;
  /** Whether it holds for a value of the column. False for NaN. */
  readonly holds: (value: number) => boolean;
}

/** Rows of labelled evaluations. */
export interface Rows {
  readonly fraud: readonly number[];
  readonly honest: readonly number[];
}

/** Fewest people of which a comparison with a text must hold, so that it does not stand for one person. */
const minPeople = 3;
const maxTextsOfFact = 12;
/** Thresholds of numbers: quantiles of fraud, and of the honest, of whom only the last per cent matter. */
const fraudQuantiles = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95];
const honestQuantiles = [0.001, 0.01, 0.05, 0.5, 0.95, 0.99, 0.999];

/** Returns the comparisons that tell fraud from honest people best, each by itself. Yields between short steps. */
export function* comparisonsOf({ columns }: Samples, rows: Rows): Generator<undefined, Comparison[]> {
  const all: { readonly comparison: Comparison; readonly power: number }[] = [];
  for (const column of columns) {
    for (const comparison of ofColumn(column, rows)) {
      const power = powerOf(comparison, rows);
      if (power > 0) all.push({ comparison, power });
      yield;
    }
  }
  const result: Comparison[] = [];
  for (const { comparison } of all.sort((one, other) => other.power - one.power).slice(0, maxConditions)) {
    // Names of metadata may be words that CEL reserves.
    if ('condition' in compileCondition(comparison.text)) result.push(comparison);
    yield;
  }
  return result;
}

function ofColumn(column: Column, rows: Rows): Comparison[] {
  if (column.type === 'number') return ofNumber(column, rows);
  return column.type === 'bool' ? ofBool(column) : ofTexts(column, rows);
}

/** Returns the difference of the two shares in standard deviations of both together. */
function powerOf({ column, holds }: Comparison, { fraud, honest }: Rows): number {
  const hits = (those: readonly number[]) =>
    those.reduce((sum, row) => (holds(column.values[row] ?? Number.NaN) ? sum + 1 : sum), 0);
  const [caught, wrong] = [hits(fraud), hits(honest)];
  const share = (caught + wrong) / (fraud.length + honest.length);
  if (caught === 0 || share === 1) return 0;
  return Math.abs(caught / fraud.length - wrong / honest.length) / Math.sqrt(share * (1 - share));
}

function ofBool(column: Column): Comparison[] {
  const { name } = column;
  const isOwn = name.startsWith('metadata.');
  const part = { column, group: name };
  return [
    { ...part, text: isOwn ? `${name} == true` : name, holds: (value) => value === 1 },
    { ...part, text: isOwn ? `${name} == false` : `!${name}`, holds: (value) => value === 0 },
  ];
}

function ofNumber(column: Column, { fraud, honest }: Rows): Comparison[] {
  const { name } = column;
  const thresholds = [...quantiles(column, fraud, fraudQuantiles), ...quantiles(column, honest, honestQuantiles)];
  return [...new Set(thresholds)].flatMap((threshold): Comparison[] => [
    { column, group: `${name} >=`, text: `${name} >= ${threshold}`, holds: (value) => value >= threshold },
    { column, group: `${name} <`, text: `${name} < ${threshold}`, holds: (value) => value < threshold },
  ]);
}

/** Returns quantiles of a number, rounded to three digits, so that conditions are short. */
function quantiles({ values }: Column, rows: readonly number[], shares: readonly number[]): number[] {
  const sorted = Float64Array.from(rows.flatMap((row) => values[row] ?? []).filter(Number.isFinite)).sort();
  return shares.flatMap((share) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return value === undefined || Math.abs(value) > 1e12 ? [] : [rounded(value)];
  });
}

function rounded(value: number): number {
  return Number.isInteger(value) && Math.abs(value) < 1000 ? value : Number(value.toPrecision(3));
}

function ofTexts(column: Column, { fraud }: Rows): Comparison[] {
  const people = new Map<string, number>();
  for (const row of fraud) {
    const word = column.words[column.values[row] ?? Number.NaN];
    for (const part of word === undefined ? [] : partsOf(column, word)) people.set(part, (people.get(part) ?? 0) + 1);
  }
  return [...people]
    .filter(([, number]) => number >= minPeople)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxTextsOfFact)
    .map(([text]) => ofText(column, text));
}

function partsOf({ type }: Column, word: string): string[] {
  return type === 'list' ? word.split(',').filter((part) => part !== '') : [word];
}

function ofText(column: Column, text: string): Comparison {
  const { name, type, words } = column;
  const codes = new Set(words.flatMap((word, code) => (partsOf(column, word).includes(text) ? [code] : [])));
  const holds = (value: number) => codes.has(value);
  if (type === 'list') return { column, group: `${name} ${text}`, text: `${JSON.stringify(text)} in ${name}`, holds };
  const literal = name === 'address.asn' ? text : JSON.stringify(text);
  return { column, group: name, text: `${name} == ${literal}`, holds };
}
