/**
 * What the benchmarks and the tests of the package use of the service. They import this file only, so that files can
 * move. It is not a public interface: it changes without notice.
 */
export { equalErrorRate, reliability, sortScores } from './effects/study/rules/error-rates.js';
export { wilson } from './effects/study/rules/figures.js';
export { fitWeights, frequencies } from './effects/study/rules/fitting.js';
export { lookAlikes, nearest, pairOf } from './effects/study/rules/pairs.js';
export { chooser, seeded } from './effects/study/rules/random.js';
export { confidenceOf, scorer } from './effects/study/rules/scoring.js';
export { judge } from './evaluation/rules/judge.js';
export { credentialStuffing } from './evaluation/rules/reasons/credential-stuffing.js';
export { passwordGuessing } from './evaluation/rules/reasons/password-guessing.js';
export { addressLevels } from './evaluation/rules/risk/address.js';
export { percentOf } from './evaluation/rules/risk/contribution.js';
export { deviceLevelOf, isKnown } from './evaluation/rules/risk/device.js';
export { evidenceOf } from './evaluation/rules/risk/evidence.js';
export { countFrequencies } from './evaluation/rules/risk/frequencies.js';
export { riskFactsOf } from './evaluation/rules/risk/risk-facts.js';
export { isNewDeviceAtKnownAddress, riskOfLogin } from './evaluation/rules/risk/score.js';
export { weights } from './evaluation/rules/risk/weights.js';
export { isUnfamiliar } from './evaluation/rules/unfamiliar.js';
export { isExemptFromChallenge } from './evaluation/rules/trust.js';
export { campaignOf } from './evaluation/campaign-baseline.js';
export { openDatabase } from './ground/db/database.js';
export { statement } from './ground/db/statement.js';
export { groupBy } from './ground/group-by.js';
export { dayMs } from './ground/time.js';
export { maxPerGroup, sampleSize } from './recognition/linking/queries/candidates.js';
export { maxOwnDevices } from './recognition/linking/queries/recognition.js';
export { countSample, emptyCensus } from './recognition/linking/rules/census.js';
export { chooseIdentity, maxCrowd } from './recognition/linking/rules/choose.js';
export { groupKeys } from './recognition/linking/rules/group-keys.js';
export { countEvaluation, selectCounts } from './recognition/velocity/queries.js';
export { isCountedEnough, observeFailure } from './recognition/velocity/rules/baseline.js';
export { noCounts } from './recognition/velocity/rules/counts.js';
export { cells, estimateDistinct } from './recognition/velocity/rules/distinct.js';
export { slotOf, startOf } from './recognition/velocity/rules/slots.js';
export { openAddresses } from './resources/addresses/open-addresses.js';
export { readFingerprint } from './resources/devices/rules/fingerprint-text.js';
export { createProject } from './resources/projects/projects.js';
export { defaultSettings } from './resources/projects/rules/settings.js';
export { readConfig } from './server/config.js';
export { createLog } from './server/log.js';
export { startServer } from './server/server.js';
