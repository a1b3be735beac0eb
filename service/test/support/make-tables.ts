import { type DatabaseOptions, migrate, openDatabase } from '../../src/testing.js';

/** Creates all tables in an empty database. */
export async function makeTables(options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options);
  await migrate(database.db);
  await database.close();
}
