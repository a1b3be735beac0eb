import type { Access, EvaluationRecord } from 'whorl/wire';
import type { Service } from '../resources/service.js';
import { maskEmail, maskPhone } from '../resources/users/rules/mask.js';
import { openRequest } from './normalised-request.js';
import type { EvaluationRow } from './queries/evaluations.js';
import { decidedBy } from './rules/decision.js';
import { decodeRisk } from './rules/risk/stored-risk.js';
import { storedDecisions } from './rules/stored-basis.js';

export function toAccess(row: EvaluationRow): Access {
  return {
    _id: row.id,
    ...(row.user_id !== null && { user: row.user_id }),
    ...(row.external_user !== null && { external_user: row.external_user }),
    ...(row.device_id !== null && { device: row.device_id }),
    action: row.action,
    verdict: row.verdict,
    reasons: row.reasons,
    ...(row.ip !== null && { ip: row.ip }),
    createdAt: row.created_at.toISOString(),
  };
}

/** Returns a recorded evaluation in the form of the API, with masked contacts. */
export function toEvaluationRecord(service: Service, row: EvaluationRow): EvaluationRecord {
  const request = openRequest(service, row);
  const { fingerprint, last_fingerprint, version, email, phone, user_agent, agent, methods, metadata = {} } = request;
  const decisions = storedDecisions(row);
  const sources = request.address_sources ?? row.address?.sources ?? {};
  return {
    evaluation_id: row.id,
    action: row.action,
    ...(row.external_user !== null && { user: row.external_user }),
    ...(row.user_id !== null && { user_id: row.user_id }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(last_fingerprint !== undefined && { last_fingerprint }),
    ...(version !== undefined && { version }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.address && { address: { ...row.address, sources } }),
    ...(email !== undefined && { email: maskEmail(email) }),
    ...(phone !== undefined && { phone: maskPhone(phone) }),
    ...(user_agent !== undefined && { user_agent }),
    ...(agent !== undefined && { agent }),
    ...(methods !== undefined && { methods }),
    metadata,
    outcome: row.outcome,
    verdict: row.verdict,
    ...(row.observed_verdict && { observed_verdict: row.observed_verdict }),
    ...(row.alternative_verdict && { alternative_verdict: row.alternative_verdict }),
    ...(row.risk && { risk: decodeRisk(row.risk) }),
    reasons: row.reasons,
    ...(decisions && { decided_by: decidedBy(decisions, row) }),
    evidence: row.findings,
    ...(row.tags && { tags: row.tags }),
    fingerprint_id: row.identity_id,
    ...(row.device_id !== null && { device_id: row.device_id }),
    ...(row.challenge_id !== null && { challenge_id: row.challenge_id }),
    confidence: row.confidence,
    matched_by: row.matched_by,
    changed: row.changed,
    claimed: row.claimed,
    ...(row.proof !== null && { proof: row.proof }),
    ...(row.consumed_at && { consumed_at: row.consumed_at.toISOString() }),
    ...(row.feedback_label && {
      feedback: { label: row.feedback_label, ...(row.feedback_note !== null && { note: row.feedback_note }) },
    }),
    createdAt: row.created_at.toISOString(),
  };
}
