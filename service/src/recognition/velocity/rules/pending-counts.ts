import type { CountedKind } from '../../../ground/vocabulary.js';
import type { CountedSubject } from './counts.js';
import { cells, countryCells, setCell } from './distinct.js';

/** Evaluation to count. */
export interface Counted {
  readonly subjects: readonly CountedSubject[];
  readonly slot: Date;
  readonly hasFailed: boolean;
  readonly isSignup: boolean;
  readonly userCell: number;
  readonly deviceCell: number;
  /** Null if the country is not known. */
  readonly countryCell: number | null;
}

/** Counts of one subject in one slot, as a statement reads them. Cells are hexadecimal, null if none is occupied. */
export interface PendingRow {
  readonly batch: number;
  readonly kind: CountedKind;
  readonly subject: string;
  readonly slot: Date;
  readonly evaluations: number;
  readonly failures: number;
  readonly signups: number;
  readonly users: string | null;
  readonly failed_users: string | null;
  readonly devices: string | null;
  readonly countries: string | null;
}

/** Rows that are stored together. */
export interface Batch {
  readonly number: number;
  readonly rows: readonly PendingRow[];
}

interface Counts {
  readonly kind: CountedKind;
  readonly subject: string;
  readonly slot: Date;
  evaluations: number;
  failures: number;
  signups: number;
  users: Uint8Array | undefined;
  failedUsers: Uint8Array | undefined;
  devices: Uint8Array | undefined;
  countries: Uint8Array | undefined;
}

/** Counts by subject. Most subjects have one slot. */
type CountsBySubject = Map<string, Counts[]>;

/**
 * Evaluations of one world that this process has counted and not stored yet. They are stored in numbered batches. A batch
 * stays here until the database has confirmed it, so that a failure loses nothing.
 */
export class PendingCounts {
  #number = 1;
  #counts: CountsBySubject = new Map();
  #storing: { readonly number: number; readonly counts: CountsBySubject } | undefined;

  /** Whether everything is stored. */
  get isEmpty(): boolean {
    return this.#counts.size === 0 && !this.#storing;
  }

  add(counted: Counted): void {
    const { slot } = counted;
    for (const { kind, key } of counted.subjects) {
      const name = nameOf(kind, key);
      const slots = this.#counts.get(name) ?? [];
      this.#counts.set(name, slots);
      let counts = slots.find((each) => each.slot.getTime() === slot.getTime());
      if (!counts) {
        counts = { kind, subject: hexOf(key), slot, ...nothing };
        slots.push(counts);
      }
      addTo(counts, counted);
    }
  }

  /** Returns what is not stored of some subjects. */
  of(subjects: readonly CountedSubject[]): PendingRow[] {
    if (this.isEmpty) return [];
    const names = subjects.map(({ kind, key }) => nameOf(kind, key));
    const find = (counts: CountsBySubject, batch: number) =>
      names.flatMap((name) => counts.get(name)?.map((each) => rowOf(each, batch)) ?? []);
    const storing = this.#storing ? find(this.#storing.counts, this.#storing.number) : [];
    return [...storing, ...find(this.#counts, this.#number)];
  }

  /** Returns the batch to store: the one that could not be stored, or what was counted since the last one. */
  next(): Batch | undefined {
    if (!this.#storing) {
      if (this.#counts.size === 0) return undefined;
      this.#storing = { number: this.#number, counts: this.#counts };
      this.#number += 1;
      this.#counts = new Map();
    }
    const { number, counts } = this.#storing;
    return { number, rows: [...counts.values()].flatMap((slots) => slots.map((each) => rowOf(each, number))) };
  }

  /** Forgets the batch that was stored. */
  confirm(): void {
    this.#storing = undefined;
  }

  /** Forgets what has been counted of some subjects since the last batch. */
  forget(subjects: readonly CountedSubject[]): void {
    for (const { kind, key } of subjects) this.#counts.delete(nameOf(kind, key));
  }
}

const nothing = {
  evaluations: 0,
  failures: 0,
  signups: 0,
  users: undefined,
  failedUsers: undefined,
  devices: undefined,
  countries: undefined,
};

function addTo(counts: Counts, { hasFailed, isSignup, userCell, deviceCell, countryCell }: Counted): void {
  counts.evaluations += 1;
  // Rules read nothing else of a counter.
  if (counts.kind === 'counter') return;
  if (hasFailed) counts.failures += 1;
  if (isSignup) counts.signups += 1;
  if (counts.kind !== 'user') {
    counts.users = setCell(counts.users, userCell, cells);
    if (hasFailed) counts.failedUsers = setCell(counts.failedUsers, userCell, cells);
  }
  if (counts.kind !== 'device') counts.devices = setCell(counts.devices, deviceCell, cells);
  if (countryCell !== null) counts.countries = setCell(counts.countries, countryCell, countryCells);
}

function rowOf({ kind, subject, slot, evaluations, failures, signups, ...sets }: Counts, batch: number): PendingRow {
  return {
    batch,
    kind,
    subject,
    slot,
    evaluations,
    failures,
    signups,
    users: cellsText(sets.users),
    failed_users: cellsText(sets.failedUsers),
    devices: cellsText(sets.devices),
    countries: cellsText(sets.countries),
  };
}

/** Without the zeros at the end, which the database adds. */
function cellsText(set: Uint8Array | undefined): string | null {
  return set ? hexOf(set.subarray(0, set.findLastIndex((byte) => byte !== 0) + 1)) : null;
}

function nameOf(kind: CountedKind, key: Uint8Array): string {
  return `${kind} ${hexOf(key)}`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
