import { type Kysely, sql } from 'kysely';

const statements = [
  // Position in the chain, and SHA-256 of the previous entry's hash and this entry's content. Entries from before the
  // chain get theirs when it begins.
  'alter table audit_log add column seq bigint unique',
  'alter table audit_log add column hash bytea',
  // `about` commits to the user and the subject by a salted hash, so that an erasure can remove them from the entry.
  'alter table audit_log add column salt bytea',
  'alter table audit_log add column about bytea',
  // An entry keeps the ID of a deleted project: its content never changes.
  'alter table audit_log drop constraint audit_log_project_id_fkey',
  // The sealed end of the chain.
  'create table audit_head (id text primary key, seal bytea)',
  `create function keep_audit_log() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if current_setting('whorl.audit_retention', true) = 'on' then return old; end if;
    elsif old.seq is null then
      return new;
    elsif new.user_id is null and new.subject is null and new.salt is null
      and to_jsonb(new) - '{user_id,subject,salt}'::text[] = to_jsonb(old) - '{user_id,subject,salt}'::text[] then
      return new;
    end if;
    raise exception 'The audit log is append-only';
  end $$`,
  `create trigger audit_log_is_append_only before update or delete on audit_log
    for each row execute function keep_audit_log()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
