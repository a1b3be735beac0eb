import { setTimeout as pause } from 'node:timers/promises';
import { recordAudit } from '../audit/audit.js';
import { UnsealError, type Vault } from '../crypto/index.js';
import type { Service } from '../service.js';
import { setKeysResealed } from './queries/key-ring.js';
import { type ResealedRow, type ResealTable, readSealedPage, type StaleRow, writeResealed } from './queries/reseal.js';
import { type SealedTable, sealedTables } from './sealed-columns.js';

const pageSize = 500;
/** What others had locked is tried again after this time. */
const retryMs = 500;
const mostShown = 5;

/** What became of a table. */
export interface TableCounts {
  readonly table: string;
  /** How many rows were resealed. */
  readonly resealed: number;
  /** How many rows hold a value that neither master secret opens. */
  readonly unreadable: number;
  /** The ids of some of these, where rows have one. */
  readonly unreadableIds: readonly string[];
}

export interface ResealOptions {
  /** Called after each page in which something was resealed, with the counts so far. */
  readonly onProgress?: (progress: Pick<TableCounts, 'table' | 'resealed'>) => void;
  /** Called before it waits for rows that somebody else has locked. */
  readonly onWait?: (table: string, rows: number) => void;
  /** Rows read at a time. Default: 500. */
  readonly limit?: number;
}

/**
 * Seals every value anew that is not under the current master secret, and makes the blind indexes beside it anew. Works
 * in pages of their own transactions, while the service runs; ended at any moment, it goes on from there when it is called
 * again. Once nothing is left, the key ring says so, and the previous secret can be removed. The audit log has each call that
 * came to its end.
 */
export async function resealAll(service: Service, options: ResealOptions = {}): Promise<TableCounts[]> {
  const counts: TableCounts[] = [];
  for (const table of sealedTables) counts.push(await resealTable(service, table, options));
  if (counts.every(({ unreadable }) => unreadable === 0)) {
    await setKeysResealed(service.db, { except: service.vault.keyIds[0], now: service.now() });
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const details = {
    rows: sum(counts.map(({ resealed }) => resealed)),
    unreadable: sum(counts.map(({ unreadable }) => unreadable)),
  };
  await recordAudit(service.db, service, { kind: 'secrets_resealed', details });
  return counts;
}

/** Goes through a table until a whole pass leaves nothing but what does not open. */
async function resealTable(
  service: Service,
  sealedTable: SealedTable,
  { onProgress, onWait, limit = pageSize }: ResealOptions,
): Promise<TableCounts> {
  let resealed = 0;
  for (;;) {
    const { left, ...unreadable } = await passThrough(service, sealedTable, limit, (count) => {
      resealed += count;
      onProgress?.({ table: sealedTable.table, resealed });
    });
    if (left === 0) return { table: sealedTable.table, resealed, ...unreadable };
    onWait?.(sealedTable.table, left);
    await pause(retryMs);
  }
}

async function passThrough(
  { db, vault }: Service,
  sealedTable: SealedTable,
  limit: number,
  onResealed: (count: number) => void,
): Promise<Pick<TableCounts, 'unreadable' | 'unreadableIds'> & { readonly left: number }> {
  const table = queryOf(sealedTable);
  let left = 0;
  let unreadable = 0;
  const unreadableIds: string[] = [];
  let page: StaleRow[] = [];
  do {
    page = await readSealedPage(db, table, { prefix: vault.sealedPrefix, after: page.at(-1)?.key, limit });
    const stale = page.filter(({ sealed }) => Object.values(sealed).some((value) => value !== null));
    const rows = stale.flatMap((row) => {
      const resealed = resealRow(vault, sealedTable, row);
      const { id } = row.key;
      if (!resealed && typeof id === 'string' && unreadableIds.length < mostShown) unreadableIds.push(id);
      return resealed ?? [];
    });
    unreadable += stale.length - rows.length;
    const changed = await writeResealed(db, table, rows);
    left += rows.length - changed;
    if (changed > 0) onResealed(changed);
  } while (page.length === limit);
  return { left, unreadable, unreadableIds };
}

function queryOf({ table, key, sealed, indexes = {} }: SealedTable): ResealTable {
  return {
    ...{ table, key, sealed: Object.keys(sealed) },
    indexes: Object.entries(indexes).map(([column, { from }]) => ({ column, from })),
  };
}

/** Returns the row under the current master secret; undefined where one of its values does not open. */
function resealRow(
  vault: Vault,
  { sealed: contexts, indexes = {} }: SealedTable,
  { key, sealed: old }: StaleRow,
): ResealedRow | undefined {
  try {
    const texts = new Map(
      Object.entries(contexts).flatMap(([column, context]): [string, string][] => {
        const value = old[column];
        return value ? [[column, vault.open(value, context)]] : [];
      }),
    );
    const sealAgain = ([column, text]: [string, string]) => [column, vault.seal(text, contexts[column] ?? '')];
    const indexOf = ([column, { from, make }]: [string, (typeof indexes)[string]]) => {
      const text = texts.get(from);
      return [column, text === undefined ? null : make(vault, text, key)];
    };
    return {
      ...{ key, old },
      new: Object.fromEntries([...texts].map(sealAgain)),
      indexes: Object.fromEntries(Object.entries(indexes).map(indexOf)),
    };
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
