import { CompiledQuery } from 'kysely';
import type { Database } from '../service.js';

/** A statement, ready to run with values by name. */
export type Statement<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * A statement of the hot path: its text is made once, where Kysely would build and print it anew each time. A name in
 * it stands for the value of that name, as often as it comes; give each a type where PostgreSQL cannot infer one. A
 * number stands in the text as it is, where the planner has to know it.
 */
export function statement<Values extends object, Row = never>() {
  type Name = Extract<keyof Values, string>;
  return (texts: TemplateStringsArray, ...parts: (Name | number)[]): Statement<Values, Row> => {
    const names = [...new Set(parts)].filter((part): part is Name => typeof part === 'string');
    const print = (part: Name | number) => (typeof part === 'number' ? part : `$${names.indexOf(part) + 1}`);
    const text = String.raw({ raw: texts }, ...parts.map(print));
    return async (db, values) => {
      const parameters = names.map((name) => values[name]);
      const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, parameters));
      return rows;
    };
  };
}
