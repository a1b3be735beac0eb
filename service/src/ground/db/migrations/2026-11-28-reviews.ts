import { type Kysely, sql } from 'kysely';

const statements = [
  `create table reviews (
    world_id uuid not null references worlds on delete cascade,
    evaluation_id uuid not null,
    user_id uuid,
    cause text not null check (cause in ('mark', 'verdict', 'score')),
    verdict text not null,
    score real not null,
    created_at timestamptz not null,
    taken_by text,
    taken_until timestamptz,
    decision text check (decision in ('fraud', 'legitimate', 'set_aside')),
    decided_by text,
    decided_at timestamptz,
    primary key (world_id, evaluation_id),
    foreign key (world_id, user_id) references users (world_id, id) on delete cascade,
    check (num_nonnulls(decision, decided_by, decided_at) in (0, 3)),
    check ((taken_by is null) = (taken_until is null))
  )`,
  // The ID of an evaluation begins with its time, so the first index has the oldest first.
  'create index reviews_waiting on reviews (world_id, evaluation_id) where decided_at is null',
  'create index reviews_by_score on reviews (world_id, score desc, evaluation_id) where decided_at is null',
  // Those that were decided in the queue, not by a label from elsewhere.
  `create index reviews_decided on reviews (world_id, decided_at desc)
    where decided_at is not null and taken_by is not null`,
  'create index reviews_of_user on reviews (world_id, user_id) where user_id is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
