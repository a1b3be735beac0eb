import type { integrityBits } from '../fingerprint/integrity.js';
import { stringify } from '../stringify.js';
import type { ReadingName } from './registry.js';
import type { ReadingFailure, ReadingResult, ReadingValue } from './result.js';

/** The results of all readings. */
export type ReadingResults = Readonly<Record<ReadingName, ReadingResult>>;

/** The readings that draw. */
export const pixels: ReadingName[] = ['raster', 'text'];

/** Readings of a worker that are equal in its page, in every browser without spoofing. */
export const equalInWorkers: ReadingName[] = ['cores', 'memory', 'memoryFrom8', 'locale', 'timezone'];

const contradictable: ReadingName[] = ['operatingSystem', ...equalInWorkers];

/**
 * Readings that Brave randomises per site and session, in addition to pixels and audio. It reports about the size of the
 * window as that of the screen.
 */
const farbledByBrave: ReadingName[] = [
  'cores',
  'memory',
  'memoryFrom8',
  'gpu',
  'glParameters',
  'glExtensions',
  'fonts',
  'codecs',
  'screen',
];

/**
 * Readings for which Firefox with resistFingerprinting reports the same value on every device. It then reports Mozilla
 * as the GPU vendor. Without WebGL, which LibreWolf turns off, only its noise in drawings shows it.
 */
const replacedByFirefox: ReadingName[] = ['gpu', 'touchPoints', 'glParameters', 'screen', 'pointers', 'timezone'];

/**
 * Returns the results with spoofed values corrected and unusable ones removed. A value that the worker contradicts is
 * replaced by the worker's value. A value that the browser randomises becomes `noise`, detected by data that should
 * have been read back unchanged. A value that the browser reports identically on every device becomes `blocked`.
 */
export function judge(results: ReadingResults, isBrave: boolean): ReadingResults {
  const judged: Record<ReadingName, ReadingResult> = { ...results };
  const takeOut = (status: ReadingFailure, names: ReadingName[]) => {
    for (const name of names) {
      if (results[name].status === 'ok') judged[name] = { status, durationMs: results[name].durationMs };
    }
  };
  const believeWorker = (names: ReadingName[]) => {
    for (const name of names) {
      const [, value] = toldByWorker(results.worker, name);
      if (value !== undefined) judged[name] = { status: 'ok', value, durationMs: results[name].durationMs };
    }
  };
  const contradicted = contradictedByWorker(results);
  believeWorker(contradicted);
  if (contradicted.includes('memory')) {
    takeOut('unsupported', ['memoryFrom8']);
    believeWorker(['memoryFrom8']);
  }
  if (hasPixelNoise(results)) takeOut('noise', isBrave ? [...pixels, ...farbledByBrave] : pixels);
  if (cameBackChanged(results.audio)) takeOut('noise', ['audio']);
  const { gpu } = results;
  if (gpu.status === 'ok' ? gpu.value === 'mozilla' : hasPixelNoise(results)) takeOut('blocked', replacedByFirefox);
  return judged;
}

/** Returns what the worker posted of a reading: its name, its value and its duration, or an empty list. */
export function toldByWorker(worker: ReadingResult | undefined, name: string): readonly ReadingValue[] {
  for (const told of listOf(worker)) if (Array.isArray(told) && told[0] === name) return told;
  return [];
}

function contradictedByWorker(results: ReadingResults): ReadingName[] {
  return contradictable.filter((name) => {
    const [, told] = toldByWorker(results.worker, name);
    const read = results[name];
    return told !== undefined && read.status === 'ok' && stringify(told) !== stringify(read.value);
  });
}

function hasPixelNoise(results: ReadingResults): boolean {
  return pixels.some((name) => cameBackChanged(results[name]));
}

/** Returns whether data was not read back unchanged, from the second item of a drawn or rendered value. */
function cameBackChanged(result: ReadingResult): boolean {
  return listOf(result)[1] === false;
}

/** Returns the items of a result whose value is a list, or an empty list. */
export function listOf(result: ReadingResult | undefined): readonly ReadingValue[] {
  return result?.status === 'ok' && Array.isArray(result.value) ? result.value : [];
}

/** One value per row, in the order of the table. Keys in place of positions would add 2.5% to the page bundle. */
type OneForEach<Table> = { readonly [Index in keyof Table]: ReadingValue | undefined };

/** Returns the bits of the integrity facet. Takes the results as they were before `judge`. */
export function judgeIntegrity(results: ReadingResults): number {
  const [webdriver, headless, traces, inspected] = listOf(results.automation);
  const [proxied, strangers, answers, resolution, engine, system, scripted] = listOf(results.tampering);
  const facts: OneForEach<typeof integrityBits> = [
    webdriver,
    headless,
    traces,
    proxied,
    strangers,
    answers,
    resolution,
    engine,
    system,
    contradictedByWorker(results).length > 0,
    hasPixelNoise(results),
    cameBackChanged(results.audio),
    inspected,
    scripted,
    false,
  ];
  let bits = 0;
  // Libraries replace `reduce`. A check without a result sets the last bit, `unreadable_check`.
  facts.forEach((fact, index) => {
    if (fact !== false) bits |= 1 << (fact === true ? index : facts.length - 1);
  });
  return bits;
}
