import { attempt } from '../attempt.js';
import { createContext } from './context.js';
import { describe, engineFamily } from './descriptor.js';
import { judge, judgeIntegrity, listOf, pixels, type ReadingResults, toldByWorker } from './judge.js';
import { type ReadingName, registry } from './registry.js';
import type { ReadingResult } from './result.js';
import { run } from './run.js';

/** The result of one collection. */
export interface Collection {
  readonly descriptor: string;
  readonly readings: ReadingResults;
  readonly integrity: number;
}

export interface ReadOptions {
  /** The deadline of one reading, in milliseconds. */
  readonly timeoutMs: number;
  readonly workerUrl?: string | undefined;
}

/**
 * The WebGL readings, which are read once per page. WebKit counts released contexts towards its limit per page, and
 * drops the page's own contexts above that limit. `prepare` adds others.
 */
export const readOnce: ReadingName[] = ['gpu', 'glParameters', 'glExtensions'];

/**
 * The readings that the page takes from the worker, because they would block the main thread for the longest. The page
 * makes those that the worker does not return.
 */
const moved: ReadingName[] = [...readOnce, ...pixels, 'fonts', 'metrics', 'scripts'];

/** The results that collections use instead of reading again. */
export const kept = new Map<ReadingName, ReadingResult>();

// Bundlers remove all uses of this variable from a page that does not import `prepare`.
let before: (() => Promise<void>) | undefined;

/** Sets what each later collection waits for before it starts. */
export function waitBefore(action: () => Promise<void>): void {
  before = action;
}

/** Runs all readings. Never rejects: a failure of a reading is part of its result. */
export async function readBrowser({ timeoutMs, workerUrl }: ReadOptions): Promise<Collection> {
  if (before) await before();
  const context = createContext(workerUrl);
  // Never pushed to, because pages can define setters that arrays inherit.
  let waiting: Promise<[ReadingName, ReadingResult]>[] = [];
  const read = async (name: ReadingName): Promise<ReadingResult> => {
    const known = kept.get(name);
    if (known) return known;
    // The worker gets half of the time, so that its readings can still be made in the page.
    if (name === 'worker') return run(registry[name], context, timeoutMs / 2);
    if (workerUrl && moved.includes(name)) {
      // The worker comes first in the registry.
      const [, value, durationMs] = toldByWorker((await waiting[0])?.[1], name);
      if (value !== undefined) return { status: 'ok', value, durationMs: Number(durationMs) };
    }
    return run(registry[name], context, timeoutMs);
  };
  for (const name of Object.keys(registry) as ReadingName[]) {
    const result = read(name);
    waiting = [...waiting, result.then((settled): [ReadingName, ReadingResult] => [name, settled])];
    // The first three mostly wait. Starting the others together would only block the main thread.
    if (waiting.length > 3) await result;
    await context.pause();
  }
  const raw = Object.fromEntries(await Promise.all(waiting)) as Record<ReadingName, ReadingResult>;
  for (const name of readOnce) if (raw[name].status === 'ok') kept.set(name, raw[name]);
  // Deferred until the result is returned, because releasing a WebGL context blocks the main thread for some
  // milliseconds.
  setTimeout(context.release);
  const readings = judge(raw, !!attempt(() => 'brave' in navigator));
  const [system = 'du'] = listOf(readings.operatingSystem);
  const { version = '0' } = attempt(describe) ?? {};
  return {
    descriptor: system + engineFamily() + version.slice(0, 4),
    readings,
    integrity: judgeIntegrity(raw),
  };
}
