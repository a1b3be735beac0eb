import type { Migration } from 'kysely';
import * as initial from './2026-11-22-initial.js';
import * as challengeBinding from './2026-11-23-challenge-binding.js';
import * as leases from './2026-11-25-leases.js';
import * as ownFactor from './2026-11-25-own-factor.js';
import * as scopes from './2026-11-25-scopes.js';
import * as decisions from './2026-11-26-decisions.js';
import * as publishableKeys from './2026-11-26-publishable-keys.js';
import * as testKeys from './2026-11-26-test-keys.js';
import * as members from './2026-11-27-members.js';
import * as auditChain from './2026-11-27-operators-audit-chain.js';
import * as sessions from './2026-11-27-operators-sessions.js';
import * as stepUp from './2026-11-27-operators-step-up.js';
import * as bulkActions from './2026-11-28-bulk-actions.js';
import * as disowning from './2026-11-28-disowning.js';
import * as identities from './2026-11-28-identities.js';
import * as lists from './2026-11-28-lists.js';
import * as requestDemands from './2026-11-28-request-demands.js';
import * as reviews from './2026-11-28-reviews.js';
import * as reviewsLabels from './2026-11-28-reviews-labels.js';
import * as ruleBasis from './2026-11-28-rule-basis.js';
import * as ruleReplays from './2026-11-28-rule-replays.js';
import * as velocityBatches from './2026-11-28-velocity-batches.js';
import * as ruleSearches from './2026-11-29-rule-searches.js';
import * as alerts from './2026-11-29-send-alerts.js';
import * as savedViews from './2026-11-30-saved-views.js';
import * as tags from './2026-11-30-tags.js';
import * as weeklySummaries from './2026-11-30-weekly-summaries.js';
import * as riskAsText from './2026-12-01-risk-as-text.js';
import * as smallerEvaluationIndexes from './2026-12-02-smaller-evaluation-indexes.js';
import * as undoneActions from './2026-12-02-undone-actions.js';
import * as finishedActions from './2026-12-03-finished-actions.js';

/** All migrations by name, in the order of their names, which is that of time. Append only. */
export const migrations: Record<string, Migration> = {
  '2026-11-22-initial': initial,
  '2026-11-23-challenge-binding': challengeBinding,
  '2026-11-25-leases': leases,
  '2026-11-25-own-factor': ownFactor,
  '2026-11-25-scopes': scopes,
  '2026-11-26-decisions': decisions,
  '2026-11-26-publishable-keys': publishableKeys,
  '2026-11-26-test-keys': testKeys,
  '2026-11-27-members': members,
  '2026-11-27-operators-audit-chain': auditChain,
  '2026-11-27-operators-sessions': sessions,
  '2026-11-27-operators-step-up': stepUp,
  '2026-11-28-bulk-actions': bulkActions,
  '2026-11-28-disowning': disowning,
  '2026-11-28-identities': identities,
  '2026-11-28-lists': lists,
  '2026-11-28-request-demands': requestDemands,
  '2026-11-28-reviews': reviews,
  '2026-11-28-reviews-labels': reviewsLabels,
  '2026-11-28-rule-basis': ruleBasis,
  '2026-11-28-rule-replays': ruleReplays,
  '2026-11-28-velocity-batches': velocityBatches,
  '2026-11-29-rule-searches': ruleSearches,
  '2026-11-29-send-alerts': alerts,
  '2026-11-30-saved-views': savedViews,
  '2026-11-30-tags': tags,
  '2026-11-30-weekly-summaries': weeklySummaries,
  '2026-12-01-risk-as-text': riskAsText,
  '2026-12-02-smaller-evaluation-indexes': smallerEvaluationIndexes,
  '2026-12-02-undone-actions': undoneActions,
  '2026-12-03-finished-actions': finishedActions,
};
