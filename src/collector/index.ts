import { createContext } from './context.js';
import { describe } from './descriptor.js';
import { judge, judgeIntegrity, listOf, type ReadingResults } from './judge.js';
import { type ReadingName, registry } from './registry.js';
import type { ReadingResult } from './result.js';
import { run } from './run.js';

/** What one collection found. */
export interface Collection {
  readonly descriptor: string;
  readonly readings: ReadingResults;
  readonly integrity: number;
}

export interface ReadOptions {
  /** How long one reading may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly workerUrl?: string | undefined;
}

/**
 * WebGL is read once in the life of a page: WebKit counts a context that was given back against the few a page may
 * have, and takes the page's own when there are too many.
 */
const readOnce: ReadingName[] = ['gpu', 'glParameters', 'glExtensions'];
const kept = new Map<ReadingName, ReadingResult>();

/** Runs all readings. Never rejects: what goes wrong in a reading is its result. */
export async function readBrowser({ timeoutMs, workerUrl }: ReadOptions): Promise<Collection> {
  const context = createContext(workerUrl);
  const waiting: Promise<[ReadingName, ReadingResult]>[] = [];
  for (const name of Object.keys(registry) as ReadingName[]) {
    const known = kept.get(name);
    const result = known ? Promise.resolve(known) : run(registry[name], context, timeoutMs);
    waiting.push(result.then((settled) => [name, settled]));
    // The first three wait for others; the rest would only hold the main thread together.
    if (waiting.length > 3) await result;
    await context.pause();
  }
  const raw = Object.fromEntries(await Promise.all(waiting)) as Record<ReadingName, ReadingResult>;
  for (const name of readOnce) if (raw[name].status === 'ok') kept.set(name, raw[name]);
  // When the answer is out: to end a WebGL context holds the main thread for some milliseconds.
  setTimeout(context.release);
  const readings = judge(raw, 'brave' in navigator);
  const [system] = listOf(readings.operatingSystem);
  const { browser, version } = describe();
  return {
    descriptor: system + browser + version.slice(0, 4),
    readings,
    integrity: judgeIntegrity(raw),
  };
}
