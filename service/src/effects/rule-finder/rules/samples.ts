import type { FeedbackLabel } from 'whorl/wire';
import {
  conditionFacts,
  type FactName,
  type FactValues,
  factNames,
} from '../../../resources/projects/rules/conditions/facts.js';
import { maxMetadataKeys } from './limits.js';

/** What is known about one fact, row by row. */
export interface Column {
  /** As conditions name it, such as `device.os` or `metadata.amount`. */
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

/** Collects labelled evaluations. */
export class SampleCollector {
  readonly #persons: number[] = [];
  readonly #isFraud: boolean[] = [];
  readonly #personIds = new Map<string, number>();
  readonly #columns = new Map<string, Column & { readonly codes: Map<string, number> }>();
  #metadataKeys = 0;

  constructor() {
    for (const name of searchedFacts) {
      if (name !== 'metadata') this.#add(name, typeOf(name));
    }
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
  }

  samples(): Samples {
    const rows = this.#persons.length;
    for (const { values } of this.#columns.values()) pad(values, rows);
    return { persons: this.#persons, isFraud: this.#isFraud, columns: [...this.#columns.values()] };
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
