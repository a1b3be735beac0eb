import type { ListEntry } from 'whorl/wire';
import type { ListRow } from './queries.js';

export function toEntry(row: ListRow): ListEntry {
  return {
    _id: row.id,
    kind: row.kind,
    value: row.value,
    effect: row.effect,
    ...(row.note !== null && { note: row.note }),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    ...(row.expires_at && { expires_at: row.expires_at.toISOString() }),
    ...(row.ended_at && { ended_at: row.ended_at.toISOString() }),
    ...(row.ended_by !== null && { ended_by: row.ended_by }),
  };
}
