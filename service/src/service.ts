import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Logger } from 'pino';
import type { Vault } from './crypto/index.js';
import type { Schema, WorldMode } from './db/schema/index.js';
import type { MessageSender } from './messages/sender.js';
import type { Settings } from './projects/rules/settings.js';
import type { WebhookClient } from './webhooks/client.js';

/** The database, or a transaction on it: what every query takes first. */
export type Database = Kysely<Schema> | Transaction;

/** A transaction on the database: what changes something, or locks, takes this. */
export type Transaction = KyselyTransaction<Schema>;

/** What operations work with: the outside world is handed in. */
export interface Service {
  readonly db: Kysely<Schema>;
  readonly vault: Vault;
  readonly sender: MessageSender;
  readonly webhooks: WebhookClient;
  readonly log: Logger;
  /** The address under which the service is reached, without a slash at its end: the issuer of tokens. */
  readonly publicUrl: string;
  now(): Date;
  /** A new UUID, version 7, of this moment. */
  newId(): string;
}

/** Who calls: the world that the key opens, and its project's settings. */
export interface Caller {
  readonly keyId: string;
  readonly kind: 'secret' | 'publishable';
  readonly worldId: string;
  readonly mode: WorldMode;
  readonly project: { readonly id: string; readonly name: string; readonly createdAt: Date };
  readonly settings: Settings;
}
