import { explainPostgresql } from '../ground/db/database-problem.js';
import { explainFolder } from '../ground/db/folder-problem.js';
import type { DatabaseConfig } from './database-config.js';

/** Returns an OperatorError if the database caused an error that the operator can fix, and the error unchanged otherwise. */
export function explainDatabase(database: DatabaseConfig, error: unknown): unknown {
  return database.kind === 'embedded' ? explainFolder(database.folder, error) : explainPostgresql(database.url, error);
}
