import type { ImportRow } from './import-users.js';
import { readImportedUser } from './import-users-schema.js';

const longestId = 256;

/** Reads one row of an import. */
export function readImportRow(row: unknown): ImportRow {
  return { id: idOf(row), parsed: readImportedUser(row) };
}

/** As it is answered, also where the row fails. */
function idOf(row: unknown): string {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return typeof id === 'string' ? id.slice(0, longestId) : '';
}
