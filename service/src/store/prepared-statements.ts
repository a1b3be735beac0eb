import { createHash } from 'node:crypto';

/** A column of what a statement answers: its name, and how a value is read from its text. */
export interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** What one connection has prepared. */
export class PreparedStatements {
  /** Undefined until the server has confirmed it. */
  readonly #columns = new Map<string, readonly Column[] | undefined>();

  has(name: string): boolean {
    return this.#columns.get(name) !== undefined;
  }

  /** Whether it was sent, and failed: before it was prepared or after. */
  isInDoubt(name: string): boolean {
    return this.#columns.has(name) && !this.has(name);
  }

  begin(name: string): void {
    this.#columns.set(name, undefined);
  }

  confirm(name: string, columns: readonly Column[]): void {
    this.#columns.set(name, columns);
  }

  columnsOf(name: string | undefined): readonly Column[] | undefined {
    return name === undefined ? undefined : this.#columns.get(name);
  }
}

/** Each connection keeps what it prepared until it closes, so what is beyond this goes without a name. */
const MOST_STATEMENTS = 1000;

/** The names of statements, the same on all connections. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #generation = 0;

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MOST_STATEMENTS) return known;
    const name = `${createHash('sha256').update(text).digest('base64url').slice(0, 22)}_${this.#generation}`;
    this.#names.set(text, name);
    return name;
  }

  /** Everything gets new names, and so is prepared anew. */
  renew(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}
