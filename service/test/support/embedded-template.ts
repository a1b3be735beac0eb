import { cached } from './cache.js';

/**
 * A folder with an embedded database that has all tables and no rows, to be copied. Making one takes many seconds, so it
 * is kept.
 */
export function embeddedTemplate(): Promise<string> {
  return cached({
    name: 'embedded',
    ingredients: ['service/src/db/migrations', 'service/package.json'],
    make,
  });
}

async function make(folder: string): Promise<void> {
  const { makeTables } = await import('./make-tables.js');
  await makeTables({ kind: 'embedded', folder });
}
