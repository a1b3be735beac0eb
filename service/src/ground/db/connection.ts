import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Schema } from './schema/index.js';

/** Database or transaction; first argument of every query. */
export type Database = Kysely<Schema> | Transaction;

/** Transaction; required by functions that change several rows or lock. */
export type Transaction = KyselyTransaction<Schema>;
