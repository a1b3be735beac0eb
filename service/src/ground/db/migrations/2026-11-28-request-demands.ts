import { type Kysely, sql } from 'kysely';

const statements = [
  // How many requests each process gets for a busy key or address. Values are of use for seconds, so nothing is lost if a
  // crash or a failover empties the table.
  `create unlogged table request_demands (
    process uuid not null,
    subject text not null,
    demand integer not null,
    at timestamptz not null,
    primary key (subject, process)
  )`,
  'create index request_demands_by_age on request_demands (at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
