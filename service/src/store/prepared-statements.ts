import { createHash } from 'node:crypto';

/** A column of what a statement answers: its name, and how a value is read from its text. */
export interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** What the rows of a statement look like. */
export interface RowForm {
  readonly columns: readonly Column[];
  /** A row without values: a copy of it is filled in a fraction of the time in which a row grows by one name after another. */
  readonly blank: Readonly<Record<string, null>>;
}

export function rowFormOf(columns: readonly Column[]): RowForm {
  return { columns, blank: Object.fromEntries(columns.map(({ name }) => [name, null])) };
}

/** What one connection has prepared. */
export class PreparedStatements {
  /** Undefined until the server has confirmed it. */
  readonly #forms = new Map<string, RowForm | undefined>();

  has(name: string): boolean {
    return this.#forms.get(name) !== undefined;
  }

  /** Whether it was sent, and failed: before it was prepared or after. */
  isInDoubt(name: string): boolean {
    return this.#forms.has(name) && !this.has(name);
  }

  begin(name: string): void {
    this.#forms.set(name, undefined);
  }

  confirm(name: string, form: RowForm): void {
    this.#forms.set(name, form);
  }

  formOf(name: string | undefined): RowForm | undefined {
    return name === undefined ? undefined : this.#forms.get(name);
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
