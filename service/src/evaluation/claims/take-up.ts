import { type DeclaredAgent, type Outcome, reasons } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import { findChallenge } from '../../resources/challenges/queries.js';
import type { Caller, Transaction, UnitOfWork } from '../../resources/service.js';
import { judgeNormalised } from '../evaluate.js';
import type { Effects, Judged } from '../judged.js';
import { includesIndex, markSharedAddress, normaliseRequest } from '../normalised-request.js';
import { stricterDecisions, withoutChallenges } from '../rules/decision.js';
import type { Finding } from '../rules/facts.js';
import type { Judgement } from '../rules/judge.js';
import { stricterVerdict, verdictWithoutChallenge } from '../rules/policy.js';
import { isSuperseded } from '../rules/superseded.js';
import { saveEffects } from '../save.js';
import { type Claim, claimIndexes, openClaim, userOfClaim } from './content.js';
import type { ClaimRow } from './queries.js';
import { superseded } from './superseded.js';

/** Data about the user that the customer's server adds to a claim. */
export interface UserData {
  readonly email?: string;
  readonly phone?: string;
  readonly metadata?: Record<string, unknown>;
  readonly agent?: DeclaredAgent;
  readonly methods?: string[];
}

/** How the secret key takes up a claim. */
export interface TakingUp {
  /** The customer's ID of the user, who must be locked. */
  readonly externalId: string;
  /** Default: `succeeded`. */
  readonly outcome?: Outcome;
  /** Absent if the server uses only the challenge. */
  readonly userData?: UserData;
}

export interface TakenUp {
  readonly judged: Judged;
  readonly effects: Effects;
}

/** Returns whether a claim names a user. */
export function isClaimOf(work: UnitOfWork, { row, content }: Claim, externalId: string): boolean {
  const { user } = content.request;
  if (user !== undefined) return externalId === user;
  return includesIndex(claimIndexes(work, work.caller.worldId, externalId), row.user_index);
}

/**
 * Carries out a claim for the secret key. It is judged again with everything that is known now, and the stricter of
 * both verdicts is carried out. A failed attempt has no effects.
 *
 * @throws {ApiError} `evaluation_superseded` if the device or the user was revoked after the claim was created.
 */
export async function takeUpClaim(
  work: UnitOfWork,
  claim: Claim,
  { externalId, outcome = 'succeeded', userData }: TakingUp,
): Promise<TakenUp> {
  const { db: trx, caller } = work;
  const { content, row } = claim;
  const { email: _email, phone: _phone, ...sent } = content.request;
  const request = { ...sent, ...userData, user: externalId, outcome };
  const proof = { outcome: content.proof, thumbprint: content.key_thumbprint };
  // Contacts sent by a page are not trusted: only those from the server are stored.
  const read = normaliseRequest(work, request, externalId, proof);
  const normalised = await markSharedAddress(trx, work, read, { wasShared: content.is_address_shared });
  const judged = await judgeNormalised(work, normalised);
  const { revocation, suspension } = judged.gathered.state;
  const since = { ofDevice: revocation ?? 0, ofUser: suspension ?? 0, isBlocked: false };
  if (outcome === 'succeeded' && isSuperseded(content.revocations, since)) throw superseded();
  const isPassed = await isChallengePassed(trx, caller, row);
  const judgement = combine(judged.judgement, content, isPassed);
  const combined = { ...judged, judgement };
  const reserved = {
    userId: content.user_id,
    challengeId: row.challenge_id ?? undefined,
    isConsumed: userData !== undefined,
  };
  return { judged: combined, effects: await saveEffects(work, combined, reserved) };
}

/**
 * Turns the challenge of a claim into a regular challenge. Returns its ID, which is a different one if the same
 * challenge was already open.
 *
 * @throws {ApiError} `challenge_closed`, `evaluation_superseded`
 */
export async function takeUpChallenge(work: UnitOfWork, row: ClaimRow): Promise<string> {
  const claim = openClaim(work, row);
  if (!claim) throw superseded();
  if (row.status !== 'open' || work.now() >= new Date(claim.content.expires_at)) {
    throw new ApiError('challenge_closed', {
      detail: 'The challenge was skipped or has expired. Evaluate the action again.',
    });
  }
  const { effects } = await takeUpClaim(work, claim, { externalId: userOfClaim(claim) });
  // The verdict is now `deny`: the device, the user or the address is blocked.
  if (effects.challengeId === undefined) throw superseded();
  return effects.challengeId;
}

/** Returns whether the claim's own challenge was completed, so that it need not be repeated. */
async function isChallengePassed(trx: Transaction, { worldId }: Caller, { challenge_id }: ClaimRow): Promise<boolean> {
  const challenge = challenge_id === null ? undefined : await findChallenge(trx, worldId, challenge_id);
  return challenge?.status === 'completed';
}

/** Returns the stricter of both verdicts with its reasons. Trust is granted only if both allow. */
function combine(
  now: Judgement,
  { verdict, observed_verdict, findings, decisions = [] }: Claim['content'],
  isPassed: boolean,
): Judgement {
  const claimed = isPassed ? verdictWithoutChallenge(verdict) : verdict;
  const claimedDecisions = isPassed ? withoutChallenges(decisions) : decisions;
  const stricter = stricterVerdict(now.verdict, claimed);
  // Current findings are more complete, so the claim's reasons are used only if its verdict is.
  const usesCurrent = stricter === now.verdict;
  const observed = now.observedVerdict && stricterVerdict(now.observedVerdict, observed_verdict ?? 'allow');
  const isAllowed = stricter === 'allow' && (observed ?? 'allow') === 'allow';
  return {
    verdict: stricter,
    ...(observed && { observedVerdict: observed }),
    ...(now.alternativeVerdict && { alternativeVerdict: now.alternativeVerdict }),
    ...(now.risk && { risk: now.risk }),
    ...(now.basis && {
      basis: { ...now.basis, claimed: now.observedVerdict ? (observed_verdict ?? 'allow') : claimed },
    }),
    findings: usesCurrent ? now.findings : bothFindings(now.findings, findings),
    decisions: usesCurrent ? now.decisions : stricterDecisions(now.decisions, claimedDecisions),
    tags: now.tags,
    trustsFirstDevice: now.trustsFirstDevice && isAllowed,
    trustsAddress: now.trustsAddress && isAllowed,
  };
}

/** Returns one finding per reason, current ones first, in the order of the policy table. */
function bothFindings(now: readonly Finding[], before: readonly Finding[]): Finding[] {
  return reasons.flatMap((reason) => {
    const found = now.find((finding) => finding.reason === reason) ?? before.find((one) => one.reason === reason);
    return found ? [found] : [];
  });
}
