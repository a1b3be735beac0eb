import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { worldTables } from '../../src/db/schema/index.js';

/** Records the texts of all statements that this process sends to PostgreSQL until the test ends. */
export function recordStatements(): ReadonlySet<string> {
  const texts = new Set<string>();
  const query = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given;
    if (typeof first === 'string') texts.add(first);
    else if (typeof first === 'object' && first !== null && 'text' in first) texts.add(String(first.text));
    return Reflect.apply(query, this, given);
  });
  onTestFinished(() => spy.mockRestore());
  return texts;
}

const tableReference = new RegExp(
  `\\b(?:from|join|update|into|using)\\s+"?(${worldTables.join('|')})"?(?![\\w"(])(?:\\s+(?:as\\s+)?"?([a-z_]+)"?)?`,
  'gi',
);
/** What follows a table that has no alias. */
const keywords = new Set(
  'where set on join left inner cross order limit group for returning values using select default offset union'.split(
    ' ',
  ),
);

/** Returns the tables of a world, with their aliases, that a statement names and does not filter by `world_id`. */
export function unfilteredTables(text: string): string[] {
  const unquoted = text.replaceAll('"', '');
  return [...unquoted.matchAll(tableReference)].flatMap(([, table = '', alias]) => {
    const name = alias === undefined || keywords.has(alias.toLowerCase()) ? undefined : alias;
    const isFiltered =
      name === undefined
        ? new RegExp(`(?<![\\w.])(?:${table}\\.)?world_id\\b`, 'i').test(unquoted)
        : new RegExp(`(?<![\\w.])(?:${name}\\.)world_id\\b`, 'i').test(unquoted) ||
          new RegExp(`${table} (?:as )?${name}\\s+(?:\\([^)]*\\bworld_id\\b|where world_id\\b)`, 'i').test(unquoted);
    return isFiltered ? [] : [name === undefined ? table : `${table} ${name}`];
  });
}
