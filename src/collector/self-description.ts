import { createContext } from './context.js';
import { type Claims, readClaims } from './descriptor.js';
import { equalInWorkers } from './judge.js';
import { type ReadingName, registry } from './registry.js';
import type { ReadingValue } from './result.js';
import { run } from './run.js';

/** The readings that work in a worker as well as in a page. */
const readable: ReadingName[] = [...equalInWorkers, 'fonts', 'raster', 'text'];

/** Reads the browser in a worker: what it reports about itself, and pairs of a reading's name and its value. */
export async function selfDescription(): Promise<[Claims, ...ReadingValue[]]> {
  const context = createContext();
  const pairs: ReadingValue[] = [];
  for (const name of readable) {
    const result = await run(registry[name], context, 2000);
    if (result.status === 'ok') pairs.push([name, result.value]);
  }
  return [readClaims(), ...pairs];
}
