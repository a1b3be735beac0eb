import { cached } from './cache.js';

/**
 * Returns a folder with an embedded database that has all tables and no rows, for copying. It is cached because
 * creating it takes many seconds.
 */
export function embeddedTemplate(): Promise<string> {
  return cached({
    name: 'embedded',
    ingredients: ['service/src/ground/db/migrations', 'service/package.json'],
    make,
  });
}

async function make(folder: string): Promise<void> {
  const { makeTables } = await import('./make-tables.js');
  await makeTables({ kind: 'embedded', folder });
}
