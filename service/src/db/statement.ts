import { CompiledQuery } from 'kysely';
import type { Database } from '../service.js';

/** A statement, ready to run with values by name. */
export type Statement<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * A statement of the hot path: its text is made once, where Kysely would build and print it anew each time. A name in
 * it stands for the value of that name, as often as it comes; give each a type where PostgreSQL cannot infer one. A
 * number stands in the text as it is, where the planner has to know it, and a fragment with what it says.
 */
export function statement<Values extends object, Row = never>() {
  return (texts: TemplateStringsArray, ...parts: Part<Values>[]): Statement<Values, Row> =>
    runs<Values, Row>(print<Values>(texts, parts));
}

/** Text that stands in several statements, or in some of their forms only. */
export function fragment<Values extends object>() {
  return (texts: TemplateStringsArray, ...parts: Part<Values>[]): Fragment<Values> => ({ texts, parts });
}

export interface Fragment<Values> {
  readonly texts: readonly string[];
  readonly parts: readonly Part<Values>[];
}

type Name<Values> = Extract<keyof Values, string>;
type Part<Values> = Name<Values> | number | Fragment<Values>;

interface Printed<Values> {
  readonly text: string;
  readonly names: readonly Name<Values>[];
}

function print<Values>(texts: readonly string[], parts: readonly Part<Values>[]): Printed<Values> {
  const names: Name<Values>[] = [];
  const placeOf = (name: Name<Values>) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  };
  const printPart = (part: Part<Values>): string => {
    if (typeof part === 'number') return String(part);
    return typeof part === 'string' ? placeOf(part) : String.raw({ raw: part.texts }, ...part.parts.map(printPart));
  };
  return { text: String.raw({ raw: texts }, ...parts.map(printPart)), names };
}

function runs<Values, Row>({ text, names }: Printed<Values>): Statement<Values, Row> {
  return async (db, values) => {
    const query = CompiledQuery.raw(
      text,
      names.map((name) => values[name]),
    );
    // Without the executor's own steps around a query, of which there are more than of ours.
    const { rows } = await db.getExecutor().provideConnection((connection) => connection.executeQuery<Row>(query));
    return rows;
  };
}
