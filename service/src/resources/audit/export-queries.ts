import { sql } from 'kysely';
import type { Database } from '../service.js';
import { contentOf } from './chain-queries.js';

/** Entry as it is exported, with the text that its hash covers. */
export interface ExportedRow {
  readonly seq: number;
  readonly hash: string;
  readonly content: string;
  readonly user_id: string | null;
  readonly subject: string | null;
  readonly salt: string | null;
}

/** Returns entries of the chain in their order: of one project, or all. */
export async function listForExport(
  db: Database,
  {
    after,
    limit,
    projectId,
  }: { readonly after: number; readonly limit: number; readonly projectId?: string | undefined },
): Promise<ExportedRow[]> {
  const ofProject = projectId === undefined ? sql`` : sql`and l.project_id = ${projectId}::uuid`;
  const { rows } = await sql<Omit<ExportedRow, 'seq'> & { seq: string }>`
    select l.seq::text, encode(l.hash, 'hex') as hash, ${contentOf('l')} as content, l.user_id, l.subject,
      encode(l.salt, 'hex') as salt
    from audit_log l where l.seq > ${after} ${ofProject} order by l.seq limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
