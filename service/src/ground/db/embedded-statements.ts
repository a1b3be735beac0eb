import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import type { SqlResult } from './dialect.js';

const { serialize } = protocol;
type Messages = Parameters<typeof parse.parseResults>[0];

interface Prepared {
  readonly name: string;
  /** Object IDs of the parameters' types. */
  readonly types: readonly number[];
  /** Names and types of the columns of the result, if there is one. */
  readonly columns: Messages;
}

/**
 * Prepared statements stay in memory until the database is closed. Statements beyond this number are planned for each
 * query.
 */
const MAX_STATEMENTS = 300;
/** "Cached plan must not change result type": a migration ran since the statement was prepared. */
const STALE_PLAN = '0A000';

/**
 * Prepared statements of the embedded database. PGlite's own `query` parses and plans each text every time and calls
 * PostgreSQL six times for it. The caller must have exclusive access to the database.
 */
export class EmbeddedStatements {
  readonly #database: PGlite;
  #prepared = new Map<string, Prepared>();
  #count = 0;

  constructor(database: PGlite) {
    this.#database = database;
  }

  async query(text: string, values: readonly unknown[]): Promise<SqlResult> {
    const prepared = this.#prepared.get(text) ?? (await this.#prepare(text));
    if (!prepared) return this.#database.query(text, [...values]);
    const { name: statement, types, columns } = prepared;
    const bound = values.map((value, at) => this.#print(value, types[at]));
    try {
      const answered = await this.#send(
        serialize.bind({ statement, values: bound }),
        serialize.execute({}),
        serialize.sync(),
      );
      const [result] = parse.parseResults([...columns, ...answered], this.#database.parsers);
      return result ?? { rows: [] };
    } catch (error) {
      // All statements are prepared again, under new names, from the next query on.
      if (error instanceof Error && 'code' in error && error.code === STALE_PLAN) this.#prepared = new Map();
      throw error;
    }
  }

  async #prepare(text: string): Promise<Prepared | undefined> {
    if (this.#prepared.size >= MAX_STATEMENTS) return undefined;
    this.#count += 1;
    const name = `statement_${this.#count}`;
    const described = await this.#send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    );
    const prepared = {
      name,
      types: parse.parseDescribeStatementResults(described),
      columns: described.filter((message) => message.name === 'rowDescription'),
    };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  /**
   * Sends messages and returns the responses. The last message, a sync, makes PostgreSQL ready for the next query.
   *
   * @throws the errors that PostgreSQL returns.
   */
  #send(...messages: Uint8Array[]): Promise<Messages> {
    return this.#database.execProtocolStream(Buffer.concat(messages), { syncToFs: false });
  }

  /** Serialises a value like PGlite's own `query`. */
  #print(value: unknown, type = 0): string | null {
    if (value === null || value === undefined) return null;
    const print = this.#database.serializers[type];
    return print ? print(value) : String(value);
  }
}
