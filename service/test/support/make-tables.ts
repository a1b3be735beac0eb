import { type DatabaseOptions, openDatabase } from '../../src/ground/db/database.js';
import { migrate } from '../../src/ground/db/migrate.js';

/** Creates all tables in an empty database. */
export async function makeTables(options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options);
  await migrate(database.db);
  await database.close();
}
