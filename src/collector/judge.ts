import { integrityBits } from '../fingerprint/integrity.js';
import type { ReadingName } from './registry.js';
import type { ReadingResult, ReadingValue } from './result.js';

/** The results of all readings. */
export type ReadingResults = Readonly<Record<ReadingName, ReadingResult>>;

/** What Brave changes at random for each site and session, beside pixels and audio. */
const farbledByBrave: readonly ReadingName[] = [
  'cores',
  'memory',
  'gpu',
  'glParameters',
  'glExtensions',
  'fonts',
  'codecs',
];

/** Marks as `noise` every reading that the browser changes at random, going by what must have come back exact. */
export function judgeNoise(results: ReadingResults, isBrave: boolean): ReadingResults {
  const noisy = new Set<ReadingName>();
  if (cameBackChanged(results.raster) || cameBackChanged(results.text)) {
    noisy.add('raster').add('text');
    if (isBrave) for (const name of farbledByBrave) noisy.add(name);
  }
  if (cameBackChanged(results.audio)) noisy.add('audio');
  if (!noisy.size) return results;
  const judged: Record<ReadingName, ReadingResult> = { ...results };
  for (const name of noisy) {
    const { status, durationMs } = results[name];
    if (status === 'ok') judged[name] = { status: 'noise', durationMs };
  }
  return judged;
}

/** The last item of a drawn or rendered value says whether what must be exact was. */
function cameBackChanged(result: ReadingResult): boolean {
  return listOf(result).at(-1) === false;
}

function listOf(result: ReadingResult): readonly ReadingValue[] {
  return result.status === 'ok' && Array.isArray(result.value) ? result.value : [];
}

/** The integrity facet's bits, from readings as they were before noise was taken out. */
export function judgeIntegrity(results: ReadingResults): number {
  const [inWorker, inPage] = listOf(results.worker);
  const facts = [
    ...listOf(results.automation),
    ...listOf(results.tampering),
    inWorker !== inPage,
    cameBackChanged(results.raster) || cameBackChanged(results.text),
    cameBackChanged(results.audio),
  ];
  return integrityBits.reduce((bits, _, index) => bits | (facts[index] === true ? 1 << index : 0), 0);
}
