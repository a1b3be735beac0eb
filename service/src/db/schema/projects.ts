import type { Bytes, Json, OptionalTime, Time } from './columns.js';

/** Which keys see a row: those of the live world, or those of the test world. */
export type WorldMode = 'live' | 'test';

export interface ProjectTable {
  id: string;
  name: string;
  /** What the project set; defaults are not stored. */
  settings: Json<Record<string, unknown>>;
  created_at: Time;
}

/** A project's live or test half. Every other row belongs to one of them, and every query is scoped to it. */
export interface WorldTable {
  id: string;
  project_id: string;
  mode: WorldMode;
}

export interface ApiKeyTable {
  id: string;
  world_id: string;
  kind: 'secret' | 'publishable';
  hash: Bytes;
  /** The last characters, by which a person tells keys apart. */
  hint: string;
  created_at: Time;
  /** Set when the key is rotated out. */
  expires_at: OptionalTime;
}
