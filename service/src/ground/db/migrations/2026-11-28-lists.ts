import { type Kysely, sql } from 'kysely';
import { normaliseRange } from '../../ranges.js';

const statements = [
  `create table list_entries (
    id uuid primary key,
    project_id uuid not null references projects on delete cascade,
    kind text not null check (kind in ('device', 'hardware', 'user', 'address', 'asn', 'country', 'email_domain')),
    value text not null,
    effect text not null check (effect in ('block', 'allow', 'review')),
    note text,
    created_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    ended_at timestamptz,
    ended_by text,
    check ((ended_at is null) = (ended_by is null))
  )`,
  'create unique index list_entries_now on list_entries (project_id, kind, value) where ended_at is null',
  // Evaluations look up the ranges that contain an address. Other kinds of values are not addresses.
  `create index list_entries_ranges on list_entries using gist ((case when kind = 'address' then value::inet end) inet_ops)
    where kind = 'address' and ended_at is null`,
  'create index list_entries_of_project on list_entries (project_id, created_at desc, id desc)',
];

/** The settings that lists replace, those with precedence first. */
const replaced = [
  { setting: 'blocked_addresses', kind: 'address', effect: 'block', normalise: normaliseRange },
  { setting: 'allowed_addresses', kind: 'address', effect: 'allow', normalise: normaliseRange },
  { setting: 'allowed_users', kind: 'user', effect: 'allow', normalise: (user: string) => user },
] as const;

interface Project {
  readonly id: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { rows } = await sql<Project>`select id, settings from projects`.execute(db);
  for (const project of rows) await moveSettings(db, project);
}

/** Moves the values of the settings to entries. A value that is blocked and allowed stays blocked, which had precedence. */
async function moveSettings(db: Kysely<unknown>, { id, settings }: Project): Promise<void> {
  const now = new Date();
  for (const { setting, kind, effect, normalise } of replaced) {
    const stored = settings[setting];
    for (const text of Array.isArray(stored) ? stored : []) {
      const value = typeof text === 'string' ? normalise(text) : undefined;
      // An invalid entry matched nothing.
      if (value === undefined) continue;
      await sql`
        insert into list_entries (id, project_id, kind, value, effect, note, created_by, created_at)
        values (gen_random_uuid(), ${id}, ${kind}, ${value}, ${effect}, ${`From the setting ${setting}`}, 'upgrade', ${now})
        on conflict do nothing
      `.execute(db);
    }
  }
  const names = replaced.map(({ setting }) => setting);
  await sql`update projects set settings = settings - ${names}::text[] where id = ${id}`.execute(db);
}
