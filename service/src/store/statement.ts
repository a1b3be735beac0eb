import { CompiledQuery } from 'kysely';
import type { Database } from '../service.js';

/** A statement, ready to run with values by name. */
export type Statement<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * A statement of the hot path: its text is made once, where Kysely would build and print it anew each time. A name in
 * it stands for the value of that name, as often as it comes; give each a type where PostgreSQL cannot infer one.
 */
export function statement<Values extends object, Row = never>() {
  return (texts: TemplateStringsArray, ...names: (keyof Values)[]): Statement<Values, Row> => {
    const distinct = [...new Set(names)];
    const text = texts.reduce((before, after, at) => {
      const name = names[at - 1];
      return name === undefined ? before + after : `${before}$${distinct.indexOf(name) + 1}${after}`;
    });
    return async (db, values) => {
      const { rows } = await db.executeQuery<Row>(
        CompiledQuery.raw(
          text,
          distinct.map((name) => values[name]),
        ),
      );
      return rows;
    };
  };
}
