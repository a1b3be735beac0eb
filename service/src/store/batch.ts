import type pg from 'pg';
import { serialize } from 'pg-protocol';
import type { SqlResult } from './dialect.js';
import { type PreparedStatements, type RowForm, rowFormOf } from './prepared-statements.js';
import { toWire } from './wire-values.js';

/** A statement, and under what name the connection keeps it; without one it is parsed each time. */
export interface NamedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
}

/** The same, with its values as the protocol has them. */
type WireStatement = Omit<NamedStatement, 'values'> & { readonly values: (Buffer | string | null)[] };

interface Outcome {
  resolve(results: SqlResult[]): void;
  reject(error: unknown): void;
}

const noColumns = rowFormOf([]);

type Settings = Pick<pg.ClientBase, 'getTypeParser'>;

/**
 * Statements that go to the server in one write, and are answered in one: the driver's own queries each end with a
 * Sync, at which the server sends what it has, and waking somebody up is what a small statement costs most. Where one
 * fails, those after it are not done; outside of a transaction, those before it are undone (PostgreSQL, "Pipelining").
 */
export class Batch implements pg.Submittable {
  readonly #statements: readonly WireStatement[];
  readonly #prepared: PreparedStatements;
  readonly #settings: Settings;
  readonly #outcome: Outcome;
  readonly #results: SqlResult[] = [];
  #form: RowForm | undefined;
  #rows: Record<string, unknown>[] = [];
  #unread: { readonly error: unknown } | undefined;

  constructor(
    statements: readonly NamedStatement[],
    prepared: PreparedStatements,
    { settings, outcome }: { settings: Settings; outcome: Outcome },
  ) {
    // Before anything is sent: what cannot be said throws here.
    this.#statements = statements.map(({ text, values, name }) => ({ text, values: values.map(toWire), name }));
    this.#prepared = prepared;
    this.#settings = settings;
    this.#outcome = outcome;
  }

  /** In one piece: the stream's own work for each message is more than that of making it. */
  submit({ stream }: pg.Connection): void {
    const messages: Buffer[] = [];
    for (const statement of this.#statements) this.#say(statement, messages);
    messages.push(serialize.sync());
    if (stream.writable) stream.write(Buffer.concat(messages));
  }

  #say({ text, name = '', values }: WireStatement, messages: Buffer[]): void {
    const isPrepared = name !== '' && this.#prepared.has(name);
    if (name !== '' && this.#prepared.isInDoubt(name)) messages.push(serialize.close({ type: 'S', name }));
    if (!isPrepared) {
      messages.push(serialize.parse({ text, name, types: [] }));
      if (name !== '') this.#prepared.begin(name);
    }
    messages.push(serialize.bind({ statement: name, values }));
    if (!isPrepared) messages.push(serialize.describe({ type: 'P', name: '' }));
    messages.push(serialize.execute({}));
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    const readerOf = (type: number) => this.#settings.getTypeParser(type, 'text');
    this.#form = rowFormOf(fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) })));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      const { columns, blank } = this.#currentForm();
      const row: Record<string, unknown> = { ...blank };
      columns.forEach(({ name, read }, at) => {
        const field = fields[at] ?? null;
        if (field !== null) row[name] = read(field);
      });
      this.#rows.push(row);
    } catch (error) {
      // Whatever is thrown here would end the process.
      this.#unread ??= { error };
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // "INSERT 0 1", "SELECT 20", "COMMIT".
    const end = text.indexOf(' ');
    const isCounted = end > 0;
    this.#complete({
      rows: this.#rows,
      command: isCounted ? text.slice(0, end) : text,
      rowCount: isCounted ? Number(text.slice(text.lastIndexOf(' '))) : null,
    });
  }

  handleEmptyQuery(): void {
    this.#complete({ rows: [] });
  }

  handleReadyForQuery(): void {
    if (this.#unread) this.#outcome.reject(this.#unread.error);
    else this.#outcome.resolve(this.#results);
  }

  handleError(error: Error): void {
    this.#outcome.reject(error);
  }

  #currentForm(): RowForm {
    return this.#form ?? this.#prepared.formOf(this.#statements[this.#results.length]?.name) ?? noColumns;
  }

  #complete(result: SqlResult): void {
    const name = this.#statements[this.#results.length]?.name;
    if (name !== undefined) this.#prepared.confirm(name, this.#currentForm());
    this.#results.push(result);
    this.#form = undefined;
    this.#rows = [];
  }
}
