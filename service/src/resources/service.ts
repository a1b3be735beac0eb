import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Vault } from '../ground/crypto/index.js';
import type { Database, Transaction } from '../ground/db/connection.js';
import type { LogPosition } from '../ground/db/replica/position-rules.js';
import type { ReadReplica } from '../ground/db/replica/replica.js';
import type { Schema, WorldMode } from '../ground/db/schema/index.js';
import { withOwnConnection } from '../ground/db/statement.js';
import { endUserTurns, withUserTurns } from '../ground/db/user-turns.js';
import type { MessageSender } from '../ground/messages/sender.js';
import type { AddressBook } from './addresses/address-book.js';
import type { SignInOptions } from './admins/sign-in-options.js';
import type { WebhookClient } from './events/webhook-client.js';
import type { Settings } from './projects/rules/settings.js';

export type { Database, Transaction } from '../ground/db/connection.js';

/** Dependencies of all operations. */
export interface Service {
  readonly db: Kysely<Schema>;
  /** Standby for reads that decide nothing: see `readerOf`. Default: none. */
  readonly replica?: ReadReplica;
  readonly vault: Vault;
  readonly sender: MessageSender;
  readonly webhooks: WebhookClient;
  readonly addresses: AddressBook;
  readonly log: Logger;
  /** Key of this process's caches (`perService`). Units of work inherit it from their service. */
  readonly memory: object;
  /** How members sign in to the dashboard. */
  readonly signIn: SignInOptions;
  /** Public URL of the service, without a trailing slash; also the issuer of tokens. */
  readonly publicUrl: string;
  now(): Date;
  /** Returns a new UUID version 7 with the current time. */
  newId(): string;
}

/**
 * Returns a function that returns a value of one service, such as a cache, created at the first call. Several services
 * in one process do not share it; a service and its units of work do.
 */
export function perService<Value>(create: () => Value): (service: Pick<Service, 'memory'>) => Value {
  const values = new WeakMap<object, { readonly value: Value }>();
  return ({ memory }) => {
    const known = values.get(memory) ?? { value: create() };
    values.set(memory, known);
    return known.value;
  };
}

/**
 * Returns the service for reads that may be a few seconds old: from the read replica, if there is one. Nothing that decides,
 * counts or authenticates uses it. A write fails. Its caches are separate.
 *
 * @param after A position in the primary's log that the reads must include.
 */
export function readerOf(service: Service, after?: LogPosition): Service {
  const { replica } = service;
  return replica ? { ...service, db: replica.reader(after), memory: replica } : service;
}

/** The service, and the service for reads. */
export interface ReadBy {
  readonly service: Service;
  readonly reader: Service;
}

/** Returns the service for reads that must include everything that was committed before the call. */
export async function currentReaderOf(service: Service): Promise<Service> {
  const { replica } = service;
  return replica ? { ...service, db: await replica.currentReader(), memory: replica } : service;
}

/** Caller of an operation: the world of its key, and the settings of the project. */
export interface Caller {
  readonly keyId: string;
  readonly kind: 'secret' | 'publishable';
  readonly worldId: string;
  readonly mode: WorldMode;
  readonly project: { readonly id: string; readonly name: string; readonly createdAt: Date };
  readonly settings: Settings;
}

/** Caller data that every operation needs. Background jobs act for a world without a key. */
type InWorld = Pick<Caller, 'worldId'>;

/**
 * A transaction for one caller, with the dependencies of operations. `db` is the transaction, so an operation cannot use
 * the pool by mistake. `UnitOfWork<Database>`: for operations that only read, and also run outside a transaction.
 */
export interface UnitOfWork<Db extends Database = Transaction, By extends InWorld = Caller>
  extends Omit<Service, 'db'> {
  readonly db: Db;
  readonly caller: By;
  /** Runs an act outside the transaction once it is committed; without a transaction, at once. It must not throw. */
  afterCommit(act: (service: Service) => void): void;
}

/**
 * Runs an operation for one caller in a new transaction. Repeats it from its start if it cannot lock its user yet, so it
 * must have no effect outside the transaction before it locks the user.
 *
 * @throws {ApiError} `user_busy` if too many others want to lock the same user.
 */
export function inTransaction<Result, By extends InWorld>(
  service: Service,
  caller: By,
  act: (work: UnitOfWork<Transaction, By>) => Promise<Result>,
): Promise<Result> {
  return withUserTurns(async () => {
    let transaction: Transaction | undefined;
    const later: ((service: Service) => void)[] = [];
    try {
      const result = await service.db.transaction().execute((db) => {
        transaction = db;
        return withOwnConnection(db, () => act({ ...service, db, caller, afterCommit: (one) => later.push(one) }));
      });
      for (const one of later) one(service);
      return result;
    } finally {
      if (transaction) endUserTurns(transaction);
    }
  });
}

/** Returns the unit of work of a caller without a transaction. */
export function withoutTransaction(service: Service, caller: Caller): UnitOfWork<Database> {
  return { ...service, caller, afterCommit: (act) => act(service) };
}
