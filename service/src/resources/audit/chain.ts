import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { UnsealError, type Vault } from '../../ground/crypto/index.js';
import type { Database, Service, Transaction } from '../service.js';
import {
  type ChainPlace,
  chainOldest,
  findEnds,
  firstHash,
  insertAuditRow,
  lockSeal,
  type NewAuditRow,
  saveSeal,
} from './chain-queries.js';

/** Encryption context of the sealed end of the chain. */
export const headContext = 'audit.head';
const saltBytes = 16;
/** Each entry of a batch is compared with all others of it. */
const batchSize = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

const place = z.object({ seq: z.number().int().min(0), hash: z.string() });
const headSchema = z.object({
  /** Last entry. */
  last: place,
  /** Entry before the first one that is kept. */
  base: place,
});

/** Both ends of the chain. They are stored sealed with the master secret, which the database does not contain. */
export type AuditHead = z.output<typeof headSchema>;

const start: ChainPlace = { seq: 0, hash: firstHash };

/** Returns the ends of the chain; undefined if the seal is missing, was changed, or is not one of the log. */
export function openHead(vault: Vault, seal: Uint8Array | null): AuditHead | undefined {
  if (!seal) return undefined;
  try {
    return headSchema.parse(JSON.parse(vault.open(seal, headContext)));
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}

type Parts = Pick<Service, 'newId' | 'now' | 'vault'>;

/** Runs an operation in a transaction: in the given one, or in a new one. */
export function withTransaction<Result>(db: Database, act: (trx: Transaction) => Promise<Result>): Promise<Result> {
  return isTransaction(db) ? act(db) : db.transaction().execute(act);
}

function isTransaction(db: Database): db is Transaction {
  return db.isTransaction;
}

/**
 * Runs an operation while no other transaction can add to the chain, and stores the new ends. The lock is kept until the
 * transaction ends, so take it last: with a row locked after it, two transactions could deadlock.
 */
export async function withHead<Result>(
  trx: Transaction,
  service: Parts,
  act: (head: AuditHead) => Promise<{ readonly head: AuditHead; readonly result: Result }>,
): Promise<Result> {
  const seal = await lockSeal(trx);
  const opened = openHead(service.vault, seal) ?? (await restart(trx, service));
  const { head, result } = await act(opened);
  await saveSeal(trx, service.vault.seal(JSON.stringify(head), headContext));
  return result;
}

/** Adds entries to the chain, in one transaction with the change that they record. */
export function appendToChain(db: Database, service: Parts, rows: readonly Omit<NewAuditRow, 'salt'>[]): Promise<void> {
  return withTransaction(db, (trx) =>
    withHead(trx, service, async ({ last, base }) => {
      let end: ChainPlace = last;
      for (const row of rows) end = await insertAuditRow(trx, { ...row, salt: saltFor(row) }, end);
      return { head: { last: end, base }, result: undefined };
    }),
  );
}

export function saltFor(row: { readonly user_id: string | null; readonly subject: string | null }): Buffer | null {
  return row.user_id === null && row.subject === null ? null : randomBytes(saltBytes);
}

/**
 * Begins the chain with the entries that were written before it, or continues one whose end cannot be read. Both are
 * recorded as an entry, which `audit verify` shows.
 */
async function restart(trx: Transaction, service: Parts): Promise<AuditHead> {
  const ends = await findEnds(trx);
  const base = ends && ends.first > 1 ? { seq: ends.first - 1, hash: '' } : start;
  const last = ends?.last ?? (await chainEarlierEntries(trx));
  const entry = {
    id: service.newId(),
    kind: ends ? 'chain_restarted' : 'chain_started',
    actor: 'service',
    details: JSON.stringify({ entries: last.seq }),
    created_at: service.now(),
    admin_id: null,
    project_id: null,
    mode: null,
    user_id: null,
    subject: null,
    network: null,
    changes: null,
    salt: null,
  };
  return { base, last: await insertAuditRow(trx, entry, last) };
}

async function chainEarlierEntries(trx: Transaction): Promise<ChainPlace> {
  let end = start;
  let afterId = firstId;
  for (;;) {
    const batch = await chainOldest(trx, end, { afterId, limit: batchSize });
    if (!batch) return end;
    end = batch.last;
    afterId = batch.lastId;
  }
}

/** Begins the chain, if it has not begun, so that the entries of an earlier version are part of it at once. */
export async function beginChain({ db, ...parts }: Parts & Pick<Service, 'db'>): Promise<void> {
  await db.transaction().execute((trx) => withHead(trx, parts, async (head) => ({ head, result: undefined })));
}
