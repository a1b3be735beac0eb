/**
 * What the benchmarks, the tests over HTTP and the tests of the package use of the service. They import this file only, so
 * that files can move. It is not a public interface: it changes without notice.
 */
export { codesOf } from './api/openapi/error-responses.js';
export { renderApiDocs, styles } from './api/openapi/page.js';
export { readCsv } from './cli/import-csv.js';
export { readLines } from './cli/import-lines.js';
export { readOverview } from './dashboard/overview/load.js';
export { sessionName } from './dashboard/request.js';
export { attemptSubjectsOf, countAttempt } from './dashboard/sign-in/lock-out.js';
export { beginSession, saveNotice } from './dashboard/sign-in/session.js';
export { changePassword, signIn } from './dashboard/sign-in/sign-in.js';
export type { Overview } from './effects/activity/rules.js';
export { checkAlerts } from './effects/alerts/check.js';
export { sendAlert } from './effects/alerts/send.js';
export { setSlack } from './effects/alerts/slack.js';
export { sendSummaries } from './effects/alerts/summarise.js';
export { detachIdleDevices } from './effects/jobs/detach-idle-devices.js';
export { expireChallenges } from './effects/jobs/expire-challenges.js';
export { foldAllActivity, recountActivity } from './effects/jobs/fold-activity.js';
export { jobHandlers } from './effects/jobs/handlers.js';
export { mergeVelocity } from './effects/jobs/merge-velocity.js';
export { removeOldClaims, removeOldRows } from './effects/jobs/remove-old-rows.js';
export { reportSharing } from './effects/jobs/report-sharing.js';
export { searches } from './effects/rule-finder/queries.js';
export { findRule } from './effects/rule-finder/rules/find.js';
export { SampleCollector } from './effects/rule-finder/rules/samples.js';
export { startSearch } from './effects/rule-finder/start.js';
export { replays } from './effects/rule-replay/queries.js';
export { startReplay } from './effects/rule-replay/start.js';
export { resealAll } from './effects/secrets/reseal.js';
export { lastingHashes, plainHashes, sealedTables } from './effects/secrets/sealed-columns.js';
export { equalErrorRate, reliability, sortScores } from './effects/study/rules/error-rates.js';
export { wilson } from './effects/study/rules/figures.js';
export { fitWeights, frequencies } from './effects/study/rules/fitting.js';
export { lookAlikes, nearest, pairOf } from './effects/study/rules/pairs.js';
export { chooser, seeded } from './effects/study/rules/random.js';
export type { StudyReport } from './effects/study/rules/report.js';
export { confidenceOf, scorer } from './effects/study/rules/scoring.js';
export { createWebhookClient } from './effects/webhooks/client.js';
export { deliverTo, dueEndpoints } from './effects/webhooks/deliver.js';
export {
  addEndpoint,
  type EndpointChoice,
  enableEndpoint,
  type ListedEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from './effects/webhooks/endpoints.js';
export type { EndpointKey } from './effects/webhooks/queries/webhook-deliveries.js';
export { listAttempts, replay } from './effects/webhooks/replay.js';
export { secretsOf } from './effects/webhooks/secrets.js';
export { tryEndpoint } from './effects/webhooks/try-endpoint.js';
export { startWebhookWorker } from './effects/webhooks/worker.js';
export { campaignOf } from './evaluation/campaign-baseline.js';
export { normaliseRequest, openRequest } from './evaluation/normalised-request.js';
export { loadPast } from './evaluation/past.js';
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
export { isExemptFromChallenge } from './evaluation/rules/trust.js';
export { isUnfamiliar } from './evaluation/rules/unfamiliar.js';
export {
  createApiKey,
  createVault,
  formTokenOf,
  hashSecret,
  signChallengeLink,
  signDeviceToken,
  verifyDeviceToken,
} from './ground/crypto/index.js';
export { DatabaseUnavailableError } from './ground/db/availability.js';
export { type DatabaseKind, type DatabaseOptions, type OpenDatabase, openDatabase } from './ground/db/database.js';
export { distribute } from './ground/db/distribution/distribute.js';
export { lockUser } from './ground/db/locks.js';
export { migrate } from './ground/db/migrate.js';
export { migrations } from './ground/db/migrations/index.js';
export { moveDatabase } from './ground/db/move.js';
export { createPartitions, dropPartitions, listPartitions } from './ground/db/partitions.js';
export type { Schema } from './ground/db/schema/index.js';
export { installationTables, partitionedTables, worldTables } from './ground/db/schema/tables.js';
export { sentWithNext, statement, withOwnConnection } from './ground/db/statement.js';
export { endUserTurns, withUserTurns } from './ground/db/user-turns.js';
export { analyzeEmbedded, compact, vacuumEmbedded } from './ground/db/vacuum.js';
export { errorTable } from './ground/errors.js';
export { groupBy } from './ground/group-by.js';
export { firstIdAt } from './ground/ids.js';
export type { Mail } from './ground/messages/mail.js';
export type { CodeMessage } from './ground/messages/message.js';
export { createSender, type MessageSender } from './ground/messages/sender.js';
export { dayMs, hourMs, minuteMs } from './ground/time.js';
export { clientAddress } from './http/client-address.js';
export type { Endpoint } from './http/endpoint.js';
export type { HttpConfig } from './http/environment.js';
export { errorCodes } from './http/error-guide.js';
export { createMetrics } from './http/metrics.js';
export { pageCookieName } from './http/pages/page-response.js';
export { problem } from './http/schemas/problem.js';
export { exampleOf, wireSchema } from './http/schemas/wire-schema.js';
export { maxPerGroup, sampleSize } from './recognition/linking/queries/candidates.js';
export { maxOwnDevices } from './recognition/linking/queries/recognition.js';
export { countSample, emptyCensus } from './recognition/linking/rules/census.js';
export { chooseIdentity, maxCrowd } from './recognition/linking/rules/choose.js';
export { groupKeys } from './recognition/linking/rules/group-keys.js';
export { countEvaluation, storePending } from './recognition/velocity/count.js';
export { selectCounts, storeCounts } from './recognition/velocity/queries.js';
export { isCountedEnough, observeFailure } from './recognition/velocity/rules/baseline.js';
export { noCounts, type Velocity } from './recognition/velocity/rules/counts.js';
export { cells, estimateDistinct } from './recognition/velocity/rules/distinct.js';
export { PendingCounts } from './recognition/velocity/rules/pending-counts.js';
export { slotOf, startOf } from './recognition/velocity/rules/slots.js';
export { subjectsOf } from './recognition/velocity/subjects.js';
export { openAddresses } from './resources/addresses/open-addresses.js';
export { confirmAdminSession } from './resources/admins/admin-sessions-queries.js';
export { findAdminByEmail, sealAdminEmail } from './resources/admins/admins.js';
export { insertAdmin } from './resources/admins/admins-queries.js';
export { changeAccess, removeMember, removeMemberByEmail } from './resources/admins/change-members.js';
export { totpContext } from './resources/admins/factors.js';
export { listInvitations } from './resources/admins/invitations.js';
export { inviteMember } from './resources/admins/invite.js';
export { type Access, makeFirstAdminLink, makeInvitation, makeResetLink } from './resources/admins/links.js';
export { listMembers } from './resources/admins/members.js';
export { saveMembership } from './resources/admins/members-queries.js';
export {
  isAllowed,
  type Permission,
  type ProjectRole,
  permissions,
  projectRoles,
  type Role,
  roles,
} from './resources/admins/permissions.js';
export { forgetFailures, lockFailures } from './resources/admins/sign-in-failures-queries.js';
export { parseRoleRules, type SignInOptions } from './resources/admins/sign-in-options.js';
export { administrator, recordAudit, recordFailedSignIn } from './resources/audit/audit.js';
export { beginChain } from './resources/audit/chain.js';
export { exportAudit } from './resources/audit/export.js';
export { auditRetentionDays } from './resources/audit/rules/audit.js';
export { readHead, verifyAudit } from './resources/audit/verify.js';
export { readFingerprint } from './resources/devices/rules/fingerprint-text.js';
export { DeviceWatch } from './resources/devices/watch.js';
export { recordEvent } from './resources/events/queries.js';
export { addEntries } from './resources/lists/change-entries.js';
export { findProject } from './resources/projects/find-project.js';
export { createKey, listKeys, revokeKey, rotateKey } from './resources/projects/keys.js';
export {
  type CreatedProject,
  createFirstProject,
  createProject,
  findCaller,
  listProjects,
} from './resources/projects/projects.js';
export { worldOf } from './resources/projects/queries/projects.js';
export { bindFacts, compileCondition } from './resources/projects/rules/conditions/condition.js';
export { settingSections } from './resources/projects/rules/project-settings/sections.js';
export { defaultSettings } from './resources/projects/rules/settings.js';
export { listLog } from './resources/projects/setting-log.js';
export { changeSettings, readSettings } from './resources/projects/settings.js';
export { publicKeys, rotateSigningKeys } from './resources/projects/signing-keys.js';
export { readWorlds } from './resources/projects/worlds.js';
export { enqueue, type JobHandlers, startQueue, waitingJobs } from './resources/queue/index.js';
export { jobKinds } from './resources/queue/jobs.js';
export { type Service, type Transaction, withoutTransaction } from './resources/service.js';
export { createApp } from './server/app.js';
export { type Config, readConfig } from './server/config.js';
export { endpoints, publicRoutes } from './server/endpoints.js';
export { createLog } from './server/log.js';
export { openService } from './server/open-service.js';
export { type RunningServer, type ServerOptions, startServer } from './server/server.js';
export {
  writtenErrors,
  writtenOpenApi,
  writtenProjectSchema,
  writtenRules,
  writtenWebhooks,
} from './server/written-docs.js';
