import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';
import type { AlertCondition } from '../attention/rules/alert-condition.js';
import type { MessageContent } from './rules/message-content.js';

/** A condition, with what it is about among those of its kind. */
export interface Alert {
  readonly kind: string;
  readonly subject: string;
  readonly content: AlertCondition;
}

/**
 * Records which conditions hold now, and returns those that began. One that ends and begins again before it was announced
 * is still the same alert.
 */
export async function recordAlerts(
  db: Database,
  worldId: string,
  { alerts, now }: { readonly alerts: readonly Alert[]; readonly now: Date },
): Promise<AlertCondition[]> {
  const current = sql`jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb) as c (kind text, subject text, content jsonb)`;
  await sql`
    update alerts a set ended_at = null from ${current}
    where a.world_id = ${worldId} and a.kind = c.kind and a.subject = c.subject and a.ended_at is not null
  `.execute(db);
  const { rows } = await sql<{ content: AlertCondition }>`
    insert into alerts (world_id, kind, subject, content, began_at)
    select ${worldId}::uuid, c.kind, c.subject, c.content, ${now}::timestamptz from ${current}
    on conflict (world_id, kind, subject) do nothing returning content
  `.execute(db);
  await sql`
    update alerts a set ended_at = ${now}
    where a.world_id = ${worldId} and a.ended_at is null
      and not exists (select from ${current} where c.kind = a.kind and c.subject = a.subject)
  `.execute(db);
  return rows.map(({ content }) => content);
}

/** Marks all alerts of a world as announced, and returns those that were not, the oldest first. */
export async function takeUnannounced(db: Database, worldId: string, now: Date): Promise<AlertCondition[]> {
  const { rows } = await sql<{ content: AlertCondition }>`
    with taken as (
      update alerts set announced_at = ${now} where world_id = ${worldId} and announced_at is null
      returning content, began_at, kind, subject
    )
    select content from taken order by began_at, kind, subject
  `.execute(db);
  return rows.map(({ content }) => content);
}

/** Deletes the alerts of a world that ended and were announced; with `all`, all of them. */
export async function deleteAlerts(db: Database, worldId: string, { all = false } = {}): Promise<void> {
  await sql`
    delete from alerts where world_id = ${worldId}
      and (${all}::boolean or (ended_at is not null and announced_at is not null))
  `.execute(db);
}

/** Returns the alerts of a world that have not ended, with their beginnings, the oldest first. */
export async function listOpenAlerts(db: Database, worldId: string): Promise<{ content: AlertCondition; at: Date }[]> {
  const { rows } = await sql<{ content: AlertCondition; at: Date }>`
    select content, began_at as at from alerts where world_id = ${worldId} and ended_at is null
    order by began_at, kind, subject limit 100
  `.execute(db);
  return rows;
}

/** A message that was not sent yet. */
export interface WaitingMessage {
  readonly id: string;
  /** Undefined: to the Slack channel. */
  readonly email: string | undefined;
  readonly content: MessageContent;
}

export async function insertMessage(
  db: Database,
  worldId: string,
  { id, email, content, now }: WaitingMessage & { readonly now: Date },
): Promise<void> {
  await db
    .insertInto('alert_messages')
    .values({
      world_id: worldId,
      id,
      email: email ?? null,
      content: JSON.stringify(content),
      created_at: now,
    })
    .execute();
}

export async function findMessage(db: Database, worldId: string, id: string): Promise<WaitingMessage | undefined> {
  const { rows } = await sql<{ email: string | null; content: MessageContent }>`
    select email, content from alert_messages where world_id = ${worldId} and id = ${id}
  `.execute(db);
  const [row] = rows;
  return row && { id, email: row.email ?? undefined, content: row.content };
}

export async function deleteMessage(db: Database, worldId: string, id: string): Promise<void> {
  await db.deleteFrom('alert_messages').where('world_id', '=', worldId).where('id', '=', id).execute();
}

/** Deletes messages from before a time, which could not be sent. */
export async function removeOldMessages(db: Database, worldId: string, before: Date): Promise<void> {
  await db.deleteFrom('alert_messages').where('world_id', '=', worldId).where('created_at', '<', before).execute();
}
