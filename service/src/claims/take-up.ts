import { findChallenge } from '../challenges/queries.js';
import { ApiError } from '../errors.js';
import { judgeNormalised } from '../evaluation/evaluate.js';
import type { Effects, Judged } from '../evaluation/judged.js';
import { externalIdOf, markSharedAddress, normaliseRequest } from '../evaluation/normalised-request.js';
import { stricterVerdict, verdictWithoutChallenge } from '../evaluation/rules/effect.js';
import type { Finding } from '../evaluation/rules/facts.js';
import type { Judgement } from '../evaluation/rules/judge.js';
import { isSuperseded } from '../evaluation/rules/superseded.js';
import { reasons } from '../evaluation/rules/vocabulary.js';
import { saveEffects } from '../evaluation/save.js';
import type { Caller, Service, Transaction } from '../service.js';
import { type Claim, openClaim } from './content.js';
import type { ClaimRow } from './queries.js';
import { superseded } from './superseded.js';

/** What the customer's server adds to a claim: what it knows of the user itself. */
export interface Given {
  readonly email?: string;
  readonly phone?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface TakenUp {
  readonly judged: Judged;
  readonly effects: Effects;
}

/**
 * Lets a claim take effect, in the hands of the secret key: it is judged again with everything that is known now, and
 * the stricter of both verdicts is carried out. The user is locked.
 *
 * @throws {ApiError} `evaluation_superseded` where the device or the user was revoked since the claim was made.
 */
export async function takeUpClaim(
  trx: Transaction,
  service: Service,
  caller: Caller,
  claim: Claim,
  given: Given = {},
): Promise<TakenUp> {
  const { content, row } = claim;
  const { email: _email, phone: _phone, ...request } = content.request;
  const externalId = await externalIdOf(trx, caller, request.user);
  const proof = { outcome: content.proof, thumbprint: content.key_thumbprint };
  // The contacts that a page claims are nobody's: only those that the server gives are kept.
  const read = normaliseRequest(service, { ...request, ...given }, externalId, proof);
  const asked = await markSharedAddress(trx, service, read, { wasShared: content.is_address_shared });
  const judged = await judgeNormalised(trx, service, caller, asked);
  const { revocation, suspension } = judged.gathered.state;
  const since = { ofDevice: revocation ?? 0, ofUser: suspension ?? 0, isBarred: false };
  if (isSuperseded(content.revocations, since)) throw superseded();
  const isPassed = await isChallengePassed(trx, caller, row);
  const judgement = combine(judged.judgement, content, isPassed);
  const combined = { ...judged, judgement };
  const reserved = { userId: content.user_id, challengeId: row.challenge_id ?? undefined };
  return { judged: combined, effects: await saveEffects(trx, service, caller, combined, reserved) };
}

/**
 * Makes the challenge of a claim a challenge like any other. Returns its id, which is another one where the same
 * challenge was open already.
 *
 * @throws {ApiError} `challenge_closed`, `evaluation_superseded`
 */
export async function takeUpChallenge(
  trx: Transaction,
  service: Service,
  caller: Caller,
  row: ClaimRow,
): Promise<string> {
  const claim = openClaim(service, row);
  if (!claim) throw superseded();
  if (row.status !== 'open' || service.now() >= new Date(claim.content.expires_at)) {
    throw new ApiError('challenge_closed', { detail: 'The challenge is skipped or expired.' });
  }
  const { effects } = await takeUpClaim(trx, service, caller, claim);
  // Denied by now: the device, the user or the address is blocked.
  if (effects.challengeId === undefined) throw superseded();
  return effects.challengeId;
}

/** Whether the claim's own challenge was completed: then it has done what the claim asked for. */
async function isChallengePassed(trx: Transaction, { worldId }: Caller, { challenge_id }: ClaimRow): Promise<boolean> {
  const challenge = challenge_id === null ? undefined : await findChallenge(trx, worldId, challenge_id);
  return challenge?.status === 'completed';
}

/** The stricter of both verdicts with its reasons; trust only where both allow. */
function combine(
  now: Judgement,
  { verdict, observed_verdict, findings }: Claim['content'],
  isPassed: boolean,
): Judgement {
  const claimed = isPassed ? verdictWithoutChallenge(verdict) : verdict;
  const stricter = stricterVerdict(now.verdict, claimed);
  // What is known now says more: the claim's reasons count only where its verdict does.
  const isOfNow = stricter === now.verdict;
  const observed = now.observedVerdict && stricterVerdict(now.observedVerdict, observed_verdict ?? 'allow');
  const isAllowed = stricter === 'allow' && (observed ?? 'allow') === 'allow';
  return {
    verdict: stricter,
    ...(observed && { observedVerdict: observed }),
    findings: isOfNow ? now.findings : bothFindings(now.findings, findings),
    trustsFirstDevice: now.trustsFirstDevice && isAllowed,
    trustsAddress: now.trustsAddress && isAllowed,
  };
}

/** One finding a reason, today's first, in the order of the policy table. */
function bothFindings(now: readonly Finding[], before: readonly Finding[]): Finding[] {
  return reasons.flatMap((reason) => {
    const found = now.find((finding) => finding.reason === reason) ?? before.find((one) => one.reason === reason);
    return found ? [found] : [];
  });
}
