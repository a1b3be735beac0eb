import type { ImportRow } from './import-users.js';
import { readImportedUser } from './import-users-schema.js';

const maxIdLength = 256;

/** Reads and validates one row of an import. */
export function readImportRow(row: unknown): ImportRow {
  return { id: idOf(row), parsed: readImportedUser(row) };
}

/** Returns the ID to show in the result, even if the row is invalid. */
function idOf(row: unknown): string {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return typeof id === 'string' ? id.slice(0, maxIdLength) : '';
}
