import type { FeedbackLabel } from 'whorl/wire';
import type { NamedCounter } from '../../../resources/projects/rules/conditions/counters.js';
import {
  type CounterValue,
  conditionFacts,
  type FactName,
  type FactValues,
  factNames,
} from '../../../resources/projects/rules/conditions/facts.js';
import { maxMetadataKeys } from './limits.js';

/** What is known about one fact, row by row. */
export interface Column {
  /** As conditions name it, such as `device.os`, `metadata.amount` or `counter("card:" + metadata.card, "24h")`. */
  readonly name: string;
  readonly type: 'bool' | 'number' | 'text' | 'list';
  /** Numbers; 0 or 1; or an index of `words`. NaN if the evaluation does not have it. */
  readonly values: number[];
  /** Texts in the order of their indexes; of a list, its elements, joined by commas. */
  readonly words: string[];
}

/** Labelled evaluations, in columns. */
export interface Samples {
  /** The person of each row, from 0. */
  readonly persons: readonly number[];
  readonly isFraud: readonly boolean[];
  readonly columns: readonly Column[];
}

/** A labelled evaluation. */
export interface LabelledEvaluation {
  /** Identifies the user. */
  readonly person: string;
  readonly label: FeedbackLabel;
  readonly values: FactValues;
}

/** Facts that name one user or one address: a condition on one would be an entry of a list, not a rule. */
const notSearched: readonly FactName[] = ['user.id', 'address.ip', 'metadata'];

/** Facts that conditions of a found rule may read. */
export const searchedFacts: readonly FactName[] = factNames.filter(
  (name) => name === 'metadata' || !notSearched.includes(name),
);

/** Longer texts are rarely of a kind, and make long conditions. */
const maxTextLength = 64;
const maxWords = 10_000;

/** Counter that conditions of a found rule may read, and the number of labelled evaluations that were counted by it. */
interface SearchedCounter {
  readonly id: string;
  readonly name: string;
  counted: number;
}

/**
 * Collects labelled evaluations. A counter is searched only if all of them were counted by it: in others, nobody knows what a
 * rule would have matched, so its figures would be too good.
 */
export class SampleCollector {
  readonly #persons: number[] = [];
  readonly #isFraud: boolean[] = [];
  readonly #personIds = new Map<string, number>();
  readonly #columns = new Map<string, Column & { readonly codes: Map<string, number> }>();
  readonly #counters: readonly SearchedCounter[];
  #metadataKeys = 0;

  /** `counters`: those that the project's rules name. */
  constructor(counters: readonly Pick<NamedCounter, 'id' | 'text'>[] = []) {
    for (const name of searchedFacts) {
      if (name !== 'metadata') this.#add(name, typeOf(name));
    }
    this.#counters = counters.map(({ id, text }) => ({ id, name: text, counted: 0 }));
    for (const { name } of this.#counters) this.#add(name, 'number');
  }

  add({ person, label, values }: LabelledEvaluation): void {
    const row = this.#persons.length;
    const id = this.#personIds.get(person) ?? this.#personIds.size;
    this.#personIds.set(person, id);
    this.#persons.push(id);
    this.#isFraud.push(label === 'fraud');
    for (const name of searchedFacts) {
      if (name !== 'metadata') this.#set(name, row, values[name]);
    }
    for (const [key, value] of Object.entries(values.metadata)) this.#setMetadata(key, row, value);
    for (const counter of this.#counters) this.#setCounter(counter, row, values.counters?.get(counter.id));
  }

  samples(): Samples {
    const rows = this.#persons.length;
    for (const { values } of this.#columns.values()) pad(values, rows);
    const unknown = new Set(this.#counters.filter(({ counted }) => counted < rows).map(({ name }) => name));
    const columns = [...this.#columns.values()].filter(({ name }) => !unknown.has(name));
    return { persons: this.#persons, isFraud: this.#isFraud, columns };
  }

  #setCounter(counter: SearchedCounter, row: number, value: CounterValue | undefined): void {
    if (value === undefined) return;
    counter.counted++;
    if (typeof value === 'number') this.#set(counter.name, row, value);
  }

  #setMetadata(key: string, row: number, value: unknown): void {
    const name = `metadata.${key}`;
    const type = metadataTypeOf(value);
    if (type === undefined || !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key)) return;
    if (!this.#columns.has(name)) {
      if (this.#metadataKeys >= maxMetadataKeys) return;
      this.#metadataKeys++;
      this.#add(name, type);
    }
    // A condition on a value of another type would fail. It does not match here either.
    if (this.#columns.get(name)?.type === type) this.#set(name, row, value);
  }

  #add(name: string, type: Column['type']): void {
    this.#columns.set(name, { name, type, values: [], words: [], codes: new Map() });
  }

  #set(name: string, row: number, value: unknown): void {
    const column = this.#columns.get(name);
    if (!column) return;
    pad(column.values, row);
    column.values[row] = column.type === 'number' || column.type === 'bool' ? Number(value) : codeOf(column, value);
  }
}

function codeOf({ words, codes }: Pick<Column, 'words'> & { codes: Map<string, number> }, value: unknown): number {
  const word = Array.isArray(value) ? value.join() : String(value);
  const known = codes.get(word);
  if (known !== undefined) return known;
  if ((!Array.isArray(value) && word.length > maxTextLength) || words.length >= maxWords) return Number.NaN;
  codes.set(word, words.length);
  return words.push(word) - 1;
}

function pad(values: number[], rows: number): void {
  while (values.length < rows) values.push(Number.NaN);
}

function typeOf(name: FactName): Column['type'] {
  // A number that names something.
  if (name === 'address.asn') return 'text';
  const { type } = conditionFacts[name];
  if (type === 'bool') return 'bool';
  if (type === 'list<string>') return 'list';
  return type === 'string' ? 'text' : 'number';
}

function metadataTypeOf(value: unknown): Column['type'] | undefined {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : undefined;
}
