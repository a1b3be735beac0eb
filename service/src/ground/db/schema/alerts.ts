import type { Bytes, Json, OptionalTime, Time } from './columns.js';

/** What needs attention, from its beginning until it has ended and was announced. */
export interface AlertTable<Content extends object = object> {
  world_id: string;
  kind: string;
  /** What it is about, among those of its kind. */
  subject: string;
  /** What a message about it says. */
  content: Json<Content>;
  began_at: Time;
  /** When messages about it were queued. Null during quiet hours. */
  announced_at: OptionalTime;
  /** When it ended. Null while it lasts. */
  ended_at: OptionalTime;
}

/** Messages that were not sent yet. */
export interface AlertMessageTable<Content extends object = object> {
  world_id: string;
  id: string;
  /** Email address. Null: the Slack channel. */
  email: string | null;
  content: Json<Content>;
  created_at: Time;
}

/** The last week of which a world's summary was sent, or skipped because nothing had happened. */
export interface WeeklySummaryTable {
  world_id: string;
  /** Start of the week. */
  week: Time;
}

/** Incoming webhooks of Slack, or of a system that accepts the same requests. */
export interface SlackWebhookTable {
  world_id: string;
  /** Sealed: whoever knows it can post. */
  url: Bytes;
  created_at: Time;
}
