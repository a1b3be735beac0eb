import { sql } from 'kysely';
import type { Database } from '../../service.js';

/** Returns the allowed origins of all projects. */
export async function listAllowedOrigins(db: Database): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select distinct jsonb_array_elements_text(settings -> 'allowed_origins') as origin from projects
  `.execute(db);
  return rows.map(({ origin }) => origin);
}

/** Returns the allowed origins of one project. */
export async function listOriginsOfProject(db: Database, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select jsonb_array_elements_text(settings -> 'allowed_origins') as origin from projects where id = ${projectId}
  `.execute(db);
  return rows.map(({ origin }) => origin);
}
