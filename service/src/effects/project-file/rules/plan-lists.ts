import type { ListEntry, ProjectChange, ProjectFileListEntry } from 'whorl/wire';
import { checkEntries, isSameEntry, type WantedEntry } from '../../../resources/lists/rules/new-entries.js';
import type { FileIssue, ReadFile } from './read-file.js';

type FileEntry = NonNullable<ReadFile['lists']>[number];

export interface ListsPlan {
  /** All entries that the lists hold afterwards. */
  readonly wanted: readonly WantedEntry[];
  /** IDs of entries whose values the file leaves out. */
  readonly ended: readonly string[];
  readonly after: readonly ProjectFileListEntry[];
  readonly issues: readonly FileIssue[];
  readonly changes: readonly ProjectChange[];
}

/** Returns how the entries of lists change to those of a file. Entries that have expired count as left out. */
export function planLists(current: readonly ListEntry[], file: readonly FileEntry[], now: Date): ListsPlan {
  const positions = file.flatMap(({ expires_at }, at) => (isOver(expires_at, now) ? [] : [at]));
  const read = positions.flatMap((at) => (file[at] ? [toWanted(file[at])] : []));
  const { entries: wanted, issues } = checkEntries(read, now);
  const before = new Map(current.map((entry) => [keyOf(entry), entry]));
  const kept = new Set(wanted.map(keyOf));
  const removed = current.filter((entry) => !kept.has(keyOf(entry)));
  return {
    wanted,
    ended: removed.map(({ _id }) => _id),
    after: wanted.map(ofWanted).sort(byKey),
    issues: issues.map(({ index, field, message }) => ({ path: `lists.${positions[index]}.${field}`, message })),
    changes: [
      ...removed.map((entry): ProjectChange => ({ change: 'removed', path: pathOf(entry), from: restOf(entry) })),
      ...wanted.flatMap((entry) => changeOf(before.get(keyOf(entry)), entry)),
    ],
  };
}

/** Returns an entry as it is in a file. */
export function fileEntryOf({ kind, value, effect, note, expires_at }: ListEntry): ProjectFileListEntry {
  return { kind, value, effect, ...(note !== undefined && { note }), ...(expires_at !== undefined && { expires_at }) };
}

function toWanted({ kind, value, effect, note, expires_at }: FileEntry): WantedEntry {
  return { kind, value, effect, note, ...(expires_at !== undefined && { expiresAt: new Date(expires_at) }) };
}

function ofWanted({ kind, value, effect, note, expiresAt }: WantedEntry): ProjectFileListEntry {
  return { kind, value, effect, ...(note && { note }), ...(expiresAt && { expires_at: expiresAt.toISOString() }) };
}

function changeOf(before: ListEntry | undefined, entry: WantedEntry): ProjectChange[] {
  const to = restOf(ofWanted(entry));
  if (!before) return [{ change: 'added', path: pathOf(entry), to }];
  const { effect, note = null, expires_at } = before;
  if (isSameEntry({ effect, note, expires_at: expires_at === undefined ? null : new Date(expires_at) }, entry))
    return [];
  return [{ change: 'changed', path: pathOf(entry), from: restOf(before), to }];
}

function isOver(expiresAt: string | undefined, now: Date): boolean {
  return expiresAt !== undefined && new Date(expiresAt) <= now;
}

function keyOf({ kind, value }: Pick<ListEntry, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}

function pathOf({ kind }: Pick<ListEntry, 'kind'>): string {
  return `lists.${kind}`;
}

/** Returns an entry without its kind, which the path names. */
function restOf({ value, effect, note, expires_at }: Omit<ProjectFileListEntry, 'kind'>): object {
  return { value, effect, ...(note !== undefined && { note }), ...(expires_at !== undefined && { expires_at }) };
}

/** The order of the database: by kind, then by the bytes of the value. */
function byKey(one: ProjectFileListEntry, other: ProjectFileListEntry): number {
  if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
  return Buffer.compare(Buffer.from(one.value), Buffer.from(other.value));
}
