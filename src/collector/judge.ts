import type { integrityBits } from '../fingerprint/integrity.js';
import type { ReadingName } from './registry.js';
import type { ReadingFailure, ReadingResult, ReadingValue } from './result.js';

/** The results of all readings. */
export type ReadingResults = Readonly<Record<ReadingName, ReadingResult>>;

const pixels: ReadingName[] = ['raster', 'text'];

/** What a page and its workers say alike in every browser that replaces nothing. */
const contradictable: ReadingName[] = ['operatingSystem', 'cores', 'memory', 'locale', 'timezone', 'gpu'];

/** What Brave changes at random for each site and session, beside pixels and audio. */
const farbledByBrave: ReadingName[] = ['cores', 'memory', 'gpu', 'glParameters', 'glExtensions', 'fonts', 'codecs'];

/** What Firefox shows alike for everybody when it resists fingerprinting; it then names its own maker as the GPU. */
const replacedByFirefox: ReadingName[] = ['gpu', 'touchPoints', 'glParameters', 'screen', 'pointers', 'timezone'];

/**
 * Puts what a worker says in the place of what it contradicts, and takes out what is no reading of the device: as
 * `noise` what the browser changes at random, going by what must have come back exact, and as `blocked` what it shows
 * alike for everybody.
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
      const value = toldByWorker(results, name);
      if (value !== undefined) judged[name] = { status: 'ok', value, durationMs: results[name].durationMs };
    }
  };
  const contradicted = contradictedByWorker(results);
  believeWorker(contradicted);
  // The page looked for the fonts of the system that it took this for.
  if (contradicted.includes('operatingSystem')) believeWorker(['fonts']);
  if (hasPixelNoise(results)) {
    if (pixels.every((name) => lastOf(toldByWorker(results, name)) === true)) believeWorker(pixels);
    else takeOut('noise', isBrave ? [...pixels, ...farbledByBrave] : pixels);
  }
  if (cameBackChanged(results.audio)) takeOut('noise', ['audio']);
  if (judged.gpu.status === 'ok' && judged.gpu.value === 'mozilla') takeOut('blocked', replacedByFirefox);
  return judged;
}

/** What the worker says under a name, if there is one. */
function toldByWorker({ worker }: ReadingResults, name: string): ReadingValue | undefined {
  for (const told of listOf(worker)) if (Array.isArray(told) && told[0] === name) return told[1];
  return undefined;
}

function contradictedByWorker(results: ReadingResults): ReadingName[] {
  return contradictable.filter((name) => {
    const told = toldByWorker(results, name);
    const read = results[name];
    return told !== undefined && read.status === 'ok' && JSON.stringify(told) !== JSON.stringify(read.value);
  });
}

function hasPixelNoise(results: ReadingResults): boolean {
  return pixels.some((name) => cameBackChanged(results[name]));
}

function cameBackChanged(result: ReadingResult): boolean {
  return result.status === 'ok' && lastOf(result.value) === false;
}

/** The last item of a drawn or rendered value says whether what must be exact was. */
function lastOf(value: ReadingValue | undefined): ReadingValue | undefined {
  return Array.isArray(value) ? value[value.length - 1] : undefined;
}

/** The items of a value that is a list. */
export function listOf(result: ReadingResult): readonly ReadingValue[] {
  return result.status === 'ok' && Array.isArray(result.value) ? result.value : [];
}

/** One for each row, in the table's order. The names themselves would be a fortieth of what a page loads. */
type OneForEach<Table> = { readonly [Index in keyof Table]: ReadingValue | undefined };

/** The integrity facet's bits, from the readings before anything was taken out. */
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
  ];
  return facts.reduce<number>((bits, fact, index) => bits | (fact === true ? 1 << index : 0), 0);
}
