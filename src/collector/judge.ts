import { integrityBits } from '../fingerprint/integrity.js';
import type { ReadingName } from './registry.js';
import type { ReadingFailure, ReadingResult, ReadingValue } from './result.js';

/** The results of all readings. */
export type ReadingResults = Readonly<Record<ReadingName, ReadingResult>>;

/** What Brave changes at random for each site and session, beside pixels and audio. */
const farbledByBrave: ReadingName[] = ['cores', 'memory', 'gpu', 'glParameters', 'glExtensions', 'fonts', 'codecs'];

/** What Firefox shows alike for everybody when it resists fingerprinting; it then names its own maker as the GPU. */
const replacedByFirefox: ReadingName[] = ['gpu', 'touchPoints', 'glParameters', 'screen', 'pointers', 'timezone'];

/**
 * Takes out what is no reading of the device: as `noise` what the browser changes at random, going by what must have
 * come back exact, and as `blocked` what it shows alike for everybody.
 */
export function judge(results: ReadingResults, isBrave: boolean): ReadingResults {
  const judged: Record<ReadingName, ReadingResult> = { ...results };
  const takeOut = (status: ReadingFailure, names: ReadingName[]) => {
    for (const name of names) {
      if (results[name].status === 'ok') judged[name] = { status, durationMs: results[name].durationMs };
    }
  };
  if (hasPixelNoise(results)) takeOut('noise', isBrave ? ['raster', 'text', ...farbledByBrave] : ['raster', 'text']);
  if (cameBackChanged(results.audio)) takeOut('noise', ['audio']);
  if (results.gpu.status === 'ok' && results.gpu.value === 'mozilla') takeOut('blocked', replacedByFirefox);
  return judged;
}

function hasPixelNoise({ raster, text }: ReadingResults): boolean {
  return cameBackChanged(raster) || cameBackChanged(text);
}

/** The last item of a drawn or rendered value says whether what must be exact was. */
function cameBackChanged(result: ReadingResult): boolean {
  const list = listOf(result);
  return list[list.length - 1] === false;
}

function listOf(result: ReadingResult): readonly ReadingValue[] {
  return result.status === 'ok' && Array.isArray(result.value) ? result.value : [];
}

/** The integrity facet's bits, from the readings before anything was taken out. */
export function judgeIntegrity(results: ReadingResults): number {
  const [inWorker, inPage] = listOf(results.worker);
  const [webdriver, headless, traces] = listOf(results.automation);
  const [proxied, strangers, own, resolution, engine, system] = listOf(results.tampering);
  const facts = [
    webdriver,
    headless,
    traces,
    proxied,
    strangers,
    own,
    resolution,
    engine,
    system,
    inWorker !== inPage,
    hasPixelNoise(results),
    cameBackChanged(results.audio),
  ];
  return integrityBits.reduce((bits, _, index) => bits | (facts[index] === true ? 1 << index : 0), 0);
}
