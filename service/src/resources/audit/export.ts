import type { Database } from '../service.js';
import { listForExport } from './export-queries.js';

const batchSize = 1000;
/** Names of the parts of an entry's content, in their order. */
const names = [
  'seq',
  'id',
  'kind',
  'actor',
  'admin_id',
  'project_id',
  'mode',
  'network',
  'changes',
  'details',
  'created_at',
  'about',
] as const;

/**
 * Returns the entries of the audit log after a number, all or those of one project, the oldest first, one JSON object
 * each. `content` is the text that `hash` covers after the previous entry's hash, so that the export can be checked
 * without the database.
 */
export async function* exportAudit(
  db: Database,
  { after = 0, projectId }: { readonly after?: number; readonly projectId?: string | undefined } = {},
): AsyncGenerator<string> {
  for (let last = after; ; ) {
    const rows = await listForExport(db, { after: last, limit: batchSize, projectId });
    for (const { content, hash, user_id, subject, salt } of rows) {
      const parts: unknown = JSON.parse(content);
      const values = Array.isArray(parts) ? parts : [];
      const named = Object.fromEntries(names.map((name, index) => [name, readable(name, values[index])]));
      yield JSON.stringify({ ...named, user_id, subject, salt, hash, content });
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end.seq;
  }
}

function readable(name: (typeof names)[number], value: unknown): unknown {
  if (name === 'created_at' && typeof value === 'number') return new Date(value / 1000).toISOString();
  if ((name === 'changes' || name === 'details') && typeof value === 'string') return JSON.parse(value);
  return value;
}
