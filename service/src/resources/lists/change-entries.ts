import type { ListEntry, ListKind } from 'whorl/wire';
import { OperatorError } from '../../ground/operator-error.js';
import { type AuditEntry, commandLine, type Origin, recordAudit } from '../audit/audit.js';
import { lockProjects } from '../projects/queries/projects.js';
import type { Service, Transaction } from '../service.js';
import { toEntry } from './present.js';
import { endRows, findLiveRows, findRow, insertRows, type ListRow } from './queries.js';
import { checkEntries, type EntryIssue, isSameEntry, type WantedEntry } from './rules/new-entries.js';
import { normaliseValue } from './rules/values.js';

/** Entries to add have problems. Nothing was added. */
export class InvalidListEntries extends OperatorError {
  readonly issues: readonly EntryIssue[];

  constructor(issues: readonly EntryIssue[]) {
    const lines = issues.map(({ index, field, message }) => `Entry ${index + 1}: ${field} ${message}`);
    super(`Nothing was changed. ${lines.join('; ')}.`);
    this.name = 'InvalidListEntries';
    this.issues = issues;
  }
}

type Parts = Pick<Service, 'newId' | 'now' | 'vault'>;

/** Entries of a project to add, and who adds them. */
export interface EntriesToAdd {
  readonly projectId: string;
  readonly entries: readonly WantedEntry[];
  readonly origin: Origin;
}

export interface EntriesToEnd {
  readonly projectId: string;
  readonly kind: ListKind;
  readonly values: readonly string[];
  readonly origin: Origin;
}

export interface AddedEntries {
  /** The entries for the wanted values now, in their order. */
  readonly entries: readonly ListEntry[];
  /** Number of entries that did not exist in this form. */
  readonly added: number;
}

/** Maximum number of entries in one statement. */
const batchSize = 1000;

/**
 * Adds entries in one transaction, all or none. An entry for a value that the lists hold with another effect, note or expiry
 * replaces it. One that is there in the same form stays, so that adding it again changes nothing.
 *
 * @throws InvalidListEntries
 */
export function addEntries(service: Service, toAdd: EntriesToAdd): Promise<AddedEntries> {
  return service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    return storeEntries(trx, service, toAdd);
  });
}

/**
 * Adds entries for the values that the lists do not hold, in one transaction. Entries that they hold stay as they are, and
 * those that have expired are replaced.
 *
 * @param onAdded Called in the transaction with the entries that were added, also if there are none.
 * @throws InvalidListEntries
 */
export function addMissingEntries(
  service: Service,
  { projectId, entries: wanted, origin }: EntriesToAdd,
  onAdded: (trx: Transaction, added: readonly ListEntry[]) => Promise<void>,
): Promise<void> {
  return service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const now = service.now();
    const { entries, issues } = checkEntries(wanted, now);
    if (issues.length > 0) throw new InvalidListEntries(issues);
    const live = await findLiveRows(trx, projectId, entries);
    const held = new Set(live.filter(({ expires_at }) => expires_at === null || expires_at > now).map(keyOf));
    const missing = entries.filter((entry) => !held.has(keyOf(entry)));
    const added = await storeEntries(trx, service, { projectId, entries: missing, origin });
    await onAdded(trx, added.entries);
  });
}

/** Adds entries like `addEntries`. Call it with changes to projects locked, last in the transaction. */
export async function storeEntries(
  trx: Transaction,
  service: Parts,
  { projectId, entries: wanted, origin }: EntriesToAdd,
): Promise<AddedEntries> {
  const at = service.now();
  const { entries, issues } = checkEntries(wanted, at);
  if (issues.length > 0) throw new InvalidListEntries(issues);
  const by = origin.by ?? commandLine;
  const stored: ListRow[] = [];
  const added: ListRow[] = [];
  const replaced: string[] = [];
  for (let start = 0; start < entries.length; start += batchSize) {
    const batch = entries.slice(start, start + batchSize);
    const live = new Map((await findLiveRows(trx, projectId, batch)).map((row) => [keyOf(row), row]));
    const rows = batch.map((entry): ListRow => {
      const known = live.get(keyOf(entry));
      return known && isSameEntry(known, entry) ? known : newRow(entry, { id: service.newId(), at, by });
    });
    const fresh = rows.filter((row) => live.get(keyOf(row)) !== row);
    const ended = fresh.flatMap((row) => live.get(keyOf(row))?.id ?? []);
    if (ended.length > 0) await endRows(trx, projectId, { ids: ended, at, by });
    if (fresh.length > 0) await insertRows(trx, projectId, fresh);
    stored.push(...rows);
    added.push(...fresh);
    replaced.push(...ended);
  }
  const changes = [
    ...(replaced.length > 0 ? [auditOf('list_entries_ended', replaced, {})] : []),
    ...(added.length > 0 ? [auditOf('list_entries_added', idsOf(added), wordsOf(added))] : []),
  ];
  if (changes.length > 0)
    await recordAudit(trx, service, ...changes.map((entry) => ({ ...origin, projectId, ...entry })));
  return { entries: stored.map(toEntry), added: added.length };
}

/** Ends entries. Returns those that had not ended. Call it with changes to projects locked, last in the transaction. */
export async function endEntries(
  trx: Transaction,
  service: Parts,
  { projectId, ids, origin }: { readonly projectId: string; readonly ids: readonly string[]; readonly origin: Origin },
): Promise<ListEntry[]> {
  const ended = await endRows(trx, projectId, { ids, at: service.now(), by: origin.by ?? commandLine });
  if (ended.length === 0) return [];
  const entry = auditOf('list_entries_ended', idsOf(ended), wordsOf(ended));
  await recordAudit(trx, service, { ...origin, projectId, ...entry });
  return ended.map(toEntry);
}

/**
 * Ends an entry. Ending it again changes nothing.
 *
 * @returns The entry; undefined if the project has none with this ID.
 */
export function endEntry(
  service: Service,
  { projectId, id, origin }: { readonly projectId: string; readonly id: string; readonly origin: Origin },
): Promise<ListEntry | undefined> {
  return service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const [ended] = await endEntries(trx, service, { projectId, ids: [id], origin });
    if (ended) return ended;
    const row = await findRow(trx, projectId, id);
    return row && toEntry(row);
  });
}

/**
 * Ends the entries for some values of a kind.
 *
 * @throws OperatorError if one of them is not listed. Nothing is ended then.
 */
export function endEntriesFor(
  service: Service,
  { projectId, kind, values, origin }: EntriesToEnd,
): Promise<ListEntry[]> {
  return service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const wanted = values.map((text) => ({ kind, text, value: normaliseValue(kind, text) ?? text }));
    const live = await findLiveRows(trx, projectId, wanted);
    const missing = wanted.find(({ value }) => !live.some((row) => row.value === value));
    if (missing)
      throw new OperatorError(`The lists have no entry for the ${kind} "${missing.text}". Nothing was changed.`);
    return endEntries(trx, service, { projectId, ids: idsOf(live), origin });
  });
}

function keyOf({ kind, value }: Pick<ListEntry, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}

function newRow(
  { kind, value, effect, note, expiresAt }: WantedEntry,
  { id, at, by }: { readonly id: string; readonly at: Date; readonly by: string },
): ListRow {
  return {
    id,
    kind,
    value,
    effect,
    note: note ?? null,
    expires_at: expiresAt ?? null,
    created_by: by,
    created_at: at,
    ended_at: null,
    ended_by: null,
  };
}

function idsOf(rows: readonly ListRow[]): string[] {
  return rows.map(({ id }) => id);
}

function wordsOf([row]: readonly ListRow[]): Readonly<Record<string, string>> {
  return row ? { list: row.kind, effect: row.effect } : {};
}

/** Describes a change for the audit log, which keeps no values: they may name a user, and the entries have them. */
function auditOf(
  kind: AuditEntry['kind'],
  ids: readonly string[],
  words: Readonly<Record<string, string>>,
): Pick<AuditEntry, 'kind' | 'subject' | 'details'> {
  const [id] = ids;
  if (ids.length === 1 && id !== undefined) return { kind, subject: id, details: words };
  return { kind, details: { entries: ids.length } };
}
