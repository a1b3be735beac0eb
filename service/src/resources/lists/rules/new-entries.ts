import type { ListEffect, ListKind } from 'whorl/wire';
import { isStorable, storableMessage } from '../../../ground/text-rules.js';
import { normaliseValue, valueRules } from './values.js';

/** Maximum length of a note, in UTF-16 code units. */
export const maxNoteLength = 500;

/** Entry to add, as a caller names it. */
export interface WantedEntry {
  readonly kind: ListKind;
  readonly value: string;
  readonly effect: ListEffect;
  readonly note?: string | undefined;
  readonly expiresAt?: Date | undefined;
}

/** Problem with an entry to add. */
export interface EntryIssue {
  /** Position in the input, from 0. */
  readonly index: number;
  readonly field: 'value' | 'note' | 'expires_at';
  /** Follows the field's name: "must be …". */
  readonly message: string;
}

export interface CheckedEntries {
  /** With values in normal form. Complete if there are no issues. */
  readonly entries: readonly WantedEntry[];
  readonly issues: readonly EntryIssue[];
}

/** Checks entries to add, and returns them in normal form. Each value can be named once. */
export function checkEntries(wanted: readonly WantedEntry[], now: Date): CheckedEntries {
  const issues: EntryIssue[] = [];
  const entries: WantedEntry[] = [];
  const seen = new Set<string>();
  for (const [index, { kind, value: text, effect, note: given, expiresAt }] of wanted.entries()) {
    const value = normaliseValue(kind, text);
    const note = given?.trim() || undefined;
    if (value === undefined) issues.push({ index, field: 'value', message: `must be ${valueRules[kind].form}` });
    else if (seen.has(`${kind} ${value}`)) issues.push({ index, field: 'value', message: 'is named twice' });
    const noteFault = note === undefined ? undefined : faultOfNote(note);
    if (noteFault !== undefined) issues.push({ index, field: 'note', message: noteFault });
    if (expiresAt && !(expiresAt > now)) issues.push({ index, field: 'expires_at', message: 'must be in the future' });
    if (value === undefined) continue;
    seen.add(`${kind} ${value}`);
    entries.push({ kind, value, effect, note, expiresAt });
  }
  return { entries, issues };
}

function faultOfNote(note: string): string | undefined {
  if (note.length > maxNoteLength) return `must have at most ${maxNoteLength} characters`;
  return isStorable(note) ? undefined : storableMessage;
}

/** Returns whether a stored entry is the same as one to add. */
export function isSameEntry(
  stored: { readonly effect: ListEffect; readonly note: string | null; readonly expires_at: Date | null },
  { effect, note, expiresAt }: WantedEntry,
): boolean {
  return (
    stored.effect === effect && stored.note === (note ?? null) && stored.expires_at?.getTime() === expiresAt?.getTime()
  );
}
