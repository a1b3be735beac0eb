import type { ColumnType } from 'kysely';
import type { KeyScope } from '../../vocabulary.js';
import type { Bytes, Json, OptionalText, OptionalTime, Time } from './columns.js';

/** Live or test: determines which API keys can access a row. */
export type WorldMode = 'live' | 'test';

export interface ProjectTable {
  id: string;
  name: string;
  /** Changed settings; defaults are not stored. */
  settings: Json<Record<string, unknown>>;
  created_at: Time;
}

/** Live or test data of a project. Every row of a project belongs to one world, and every query is scoped to it. */
export interface WorldTable {
  id: string;
  project_id: string;
  mode: WorldMode;
}

export interface ApiKeyTable {
  id: string;
  world_id: string;
  kind: 'secret' | 'publishable';
  /** What a secret key may call, in the order of `keyScopes`. Without effect for a publishable key. */
  scopes: ColumnType<KeyScope[], readonly KeyScope[] | undefined, never>;
  hash: Bytes;
  /** Last characters, for telling keys apart. */
  hint: string;
  /** The key itself, so that the dashboard can show it. Null for a secret key, and for a key of an older version. */
  publishable_key: OptionalText;
  created_at: Time;
  /** Set when the key is rotated or revoked. */
  expires_at: OptionalTime;
}
