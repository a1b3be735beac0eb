import { setTimeout as pause } from 'node:timers/promises';
import { isCompressed, UnsealError, type Vault } from '../../ground/crypto/index.js';
import { recordAudit } from '../../resources/audit/audit.js';
import type { Service } from '../../resources/service.js';
import { setKeysResealed } from './queries/key-ring.js';
import { type ResealedRow, type ResealTable, readSealedPage, type StaleRow, writeResealed } from './queries/reseal.js';
import { type SealedTable, sealedTables } from './sealed-columns.js';

const pageSize = 500;
/** Delay before rows that were locked are tried again. */
const retryMs = 500;
const maxShownIds = 5;

/** Result for one table. */
export interface TableCounts {
  readonly table: string;
  /** Number of resealed rows. */
  readonly resealed: number;
  /** Number of rows with a value that neither master secret can open. */
  readonly unreadable: number;
  /** IDs of up to 5 of these rows, if the table has IDs. */
  readonly unreadableIds: readonly string[];
}

export interface ResealOptions {
  /** Called after each page with resealed rows, with the counts so far. */
  readonly onProgress?: (progress: Pick<TableCounts, 'table' | 'resealed'>) => void;
  /** Called before waiting for rows that are locked. */
  readonly onWait?: (table: string, rows: number) => void;
  /** Rows per page. Default: 500. */
  readonly limit?: number;
}

/**
 * Reseals every value that was not sealed with the current master secret, and recomputes the blind indexes next to
 * them. Each page is a separate transaction, while the service keeps running; after an interruption, the next call
 * continues. Once all values are resealed, the key ring records it, and the previous secret can be removed. Each
 * completed call is recorded in the audit log.
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

/** Repeats passes over a table until only values that cannot be opened are left. */
async function resealTable(
  service: Service,
  sealedTable: SealedTable,
  { onProgress, onWait, limit = pageSize }: ResealOptions,
): Promise<TableCounts> {
  let resealed = 0;
  for (;;) {
    const { skipped, ...unreadable } = await passThrough(service, sealedTable, limit, (count) => {
      resealed += count;
      onProgress?.({ table: sealedTable.table, resealed });
    });
    if (skipped === 0) return { table: sealedTable.table, resealed, ...unreadable };
    onWait?.(sealedTable.table, skipped);
    await pause(retryMs);
  }
}

async function passThrough(
  { db, vault }: Service,
  sealedTable: SealedTable,
  limit: number,
  onResealed: (count: number) => void,
): Promise<Pick<TableCounts, 'unreadable' | 'unreadableIds'> & { readonly skipped: number }> {
  const table = queryOf(sealedTable);
  let skipped = 0;
  let unreadable = 0;
  const unreadableIds: string[] = [];
  let page: StaleRow[] = [];
  do {
    page = await readSealedPage(db, table, { prefixes: vault.sealedPrefixes, after: page.at(-1)?.key, limit });
    const stale = page.filter(({ sealed }) => Object.values(sealed).some((value) => value !== null));
    const rows = stale.flatMap((row) => {
      const resealed = resealRow(vault, sealedTable, row);
      const { id } = row.key;
      if (!resealed && typeof id === 'string' && unreadableIds.length < maxShownIds) unreadableIds.push(id);
      return resealed ?? [];
    });
    unreadable += stale.length - rows.length;
    const changed = await writeResealed(db, table, rows);
    skipped += rows.length - changed;
    if (changed > 0) onResealed(changed);
  } while (page.length === limit);
  return { skipped, unreadable, unreadableIds };
}

function queryOf({ table, key, sealed, indexes = {} }: SealedTable): ResealTable {
  return {
    table,
    key,
    sealed: Object.keys(sealed),
    indexes: Object.entries(indexes).map(([column, { from }]) => ({ column, from })),
  };
}

/** Returns the row resealed with the current master secret; undefined if one of its values cannot be decrypted. */
function resealRow(
  vault: Vault,
  { sealed: contexts, indexes = {} }: SealedTable,
  { key, sealed: old }: StaleRow,
): ResealedRow | undefined {
  try {
    const opened = Object.entries(contexts).flatMap(([column, context]) => {
      const value = old[column];
      return value ? [{ column, context, value, text: vault.open(value, context) }] : [];
    });
    const textOf = (name: string) => opened.find(({ column }) => column === name)?.text;
    return {
      key,
      old,
      new: Object.fromEntries(
        opened.map(({ column, context, value, text }) => [
          column,
          vault.seal(text, context, { isCompressed: isCompressed(value) }),
        ]),
      ),
      indexes: Object.fromEntries(
        Object.entries(indexes).map(([column, { from, make }]) => {
          const text = textOf(from);
          return [column, text === undefined ? null : make(vault, text, key)];
        }),
      ),
    };
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
