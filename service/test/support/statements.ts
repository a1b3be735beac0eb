import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { worldTables } from '../../src/testing.js';

/** Statement with its values, as sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the texts of all statements that this process sends to PostgreSQL until the test ends. */
export function recordStatements(): ReadonlySet<string> {
  const texts = new Set<string>();
  onStatement(({ text }) => texts.add(text));
  return texts;
}

/** Calls a function for each statement that this process sends to PostgreSQL until the test ends. */
export function onStatement(record: (statement: RecordedStatement) => void): void {
  const query = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    if (typeof first === 'string') record({ text: first, values: [] });
    else if (typeof first === 'object' && first !== null && 'text' in first) {
      const values = 'values' in first && Array.isArray(first.values) ? first.values : [];
      record({ text: String(first.text), values });
    }
    return Reflect.apply(query, this, args);
  });
  onTestFinished(() => spy.mockRestore());
}

const tableReference = new RegExp(
  `\\b(?:from|join|update|into|using)\\s+"?(${worldTables.join('|')})"?(?![\\w"(])(?:\\s+(?:as\\s+)?"?([a-z_]+)"?)?`,
  'gi',
);
/** Keywords that can follow a table without an alias. */
const keywords = new Set(
  'where set on join left inner cross order limit group for returning values using select default offset union'.split(
    ' ',
  ),
);

/**
 * Returns the world tables, with their aliases, that a statement uses without filtering by `world_id`. A table without
 * an alias needs its own `world_id`, and the statement has to compare one with a value or with a world.
 */
export function unfilteredTables(text: string): string[] {
  const unquoted = text.replaceAll('"', '');
  const references = [...unquoted.matchAll(tableReference)].map(([, table = '', alias = '']) => ({
    table,
    alias: keywords.has(alias.toLowerCase()) ? '' : alias,
  }));
  const bare = references.filter(({ alias }) => alias === '');
  const names = bare.map(({ table }) => `${table}\\.`).join('|');
  const worlds = unquoted.match(new RegExp(`(?<![\\w.])(?:${names})?world_id\\b`, 'gi')) ?? [];
  const unfiltered = references.filter(
    ({ table, alias }) =>
      alias !== '' &&
      !new RegExp(`(?<![\\w.])${alias}\\.world_id\\b`, 'i').test(unquoted) &&
      !new RegExp(`${table} (?:as )?${alias} \\([^)]*\\bworld_id\\b`, 'i').test(unquoted),
  );
  const isBound = /\bworlds\b|\bworld_id\b[^=]*(?:=\s*(?:any\()?\$|\bvalues\b|\border by\b|\bselect \$)/i.test(
    unquoted,
  );
  if (bare.length > worlds.length || (references.length > 0 && !isBound))
    unfiltered.push(...bare, { table: 'any', alias: '' });
  return unfiltered.map(({ table, alias }) => `${table} ${alias}`.trim());
}
