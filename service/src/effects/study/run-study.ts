import { OperatorError } from '../../ground/operator-error.js';
import type { Service } from '../../resources/service.js';
import { type CollectOptions, collectSample } from './collect.js';
import type { StudyReport } from './rules/report.js';
import { minKeys, type StudyOptions, seenAgain, study } from './rules/study.js';

/**
 * Studies a world's fingerprints, with its keys and users as ground truth. Writes nothing and sends nothing.
 *
 * @throws OperatorError if too few keys were seen again.
 */
export async function runStudy(
  service: Service,
  worldId: string,
  options: StudyOptions & CollectOptions,
): Promise<StudyReport> {
  const sample = await collectSample(service, worldId, options);
  const found = seenAgain(sample).length;
  const needed = Math.max(minKeys, options.k);
  if (found >= needed) return study(sample, options);
  throw new OperatorError(
    `The study needs at least ${needed} browsers with a key that were seen on two days, and found ${found}. ` +
      'Send proofs from your pages (docs/proof.md), and run it again when more browsers have returned.',
  );
}
