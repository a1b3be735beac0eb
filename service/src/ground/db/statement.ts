import type { DatabaseConnection } from 'kysely';
import type { Database, Transaction } from './connection.js';
import { PoolConnection } from './dialect.js';

/** Statement with named values. */
export type Statement<Values, Row> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * Creates a statement for the hot path. Its text is built once; Kysely would build it for each query. A name stands for
 * the value with that name and may occur several times; cast it if PostgreSQL cannot infer its type. A number is
 * inserted literally, for values that the planner must know. A fragment is inserted as text.
 */
export function statement<Values extends object, Row = never>() {
  return (texts: TemplateStringsArray, ...parts: Part<Values>[]): Statement<Values, Row> =>
    runs<Values, Row>(print<Values>(texts, parts));
}

/**
 * Creates a statement of the hot path whose result is not needed. It is sent together with the transaction's next
 * statement, which reports its failure: awaiting it only waits until the connection has taken it.
 */
export function sentWithNext<Values extends object>() {
  return (texts: TemplateStringsArray, ...parts: Part<Values>[]) => {
    const { text, names } = print<Values>(texts, parts);
    return (db: Transaction, values: Values): Promise<void> =>
      onConnection(db, (connection) =>
        connection.sendWithNext(
          text,
          names.map((name) => values[name]),
        ),
      );
  };
}

/** Creates text that is shared by several statements, or by some variants of one. */
export function fragment<Values extends object>() {
  return (texts: TemplateStringsArray, ...parts: Part<Values>[]): Fragment<Values> => ({ texts, parts });
}

/** Creates text with an ID as a literal, for values that the planner must know. */
export function uuidLiteral<Values extends object>(id: string): Fragment<Values> {
  if (!/^[\da-f-]{36}$/.test(id)) throw new Error('A literal is not a UUID.');
  return { texts: [`'${id}'::uuid`], parts: [] };
}

/** Creates the columns and values of an insert whose values are named like the columns. */
export function columnValues<Values extends object>(columns: readonly Name<Values>[]): Fragment<Values> {
  const commas = columns.slice(1).map(() => ', ');
  return { texts: [`(${columns.join(', ')}) values (`, ...commas, ')'], parts: columns };
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
    const { rows } = await onConnection(db, (connection) =>
      connection.run(
        text,
        names.map((name) => values[name]),
      ),
    );
    // The text of the statement, which has no type, determines the type of the rows.
    return rows as Row[];
  };
}

/** Connections of the transactions in `withOwnConnection`. */
const ownConnections = new WeakMap<Database, PoolConnection>();

/**
 * Runs the statements of a transaction directly on its connection until the act ends. Kysely would pass each of them
 * through several promises, which costs more than sending it. After that, Kysely refuses them.
 */
export async function withOwnConnection<Result>(trx: Transaction, act: () => Promise<Result>): Promise<Result> {
  const connection = await trx.getExecutor().provideConnection(async (provided) => poolConnectionOf(provided));
  ownConnections.set(trx, connection);
  try {
    return await act();
  } finally {
    ownConnections.delete(trx);
  }
}

function onConnection<Result>(db: Database, act: (connection: PoolConnection) => Promise<Result>): Promise<Result> {
  const own = ownConnections.get(db);
  return own ? act(own) : db.getExecutor().provideConnection((connection) => act(poolConnectionOf(connection)));
}

function poolConnectionOf(connection: DatabaseConnection): PoolConnection {
  if (!(connection instanceof PoolConnection)) throw new Error('The connection is of another dialect.');
  return connection;
}
