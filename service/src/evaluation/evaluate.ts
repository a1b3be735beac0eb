import type { EvaluateRequest, Evaluation } from 'whorl/wire';
import { challengeUrlOf } from '../challenge-page/link.js';
import { lockUser } from '../db/locks.js';
import type { KnownVariant } from '../linking/queries/recognition.js';
import { digestOf, recognise } from '../linking/recognise.js';
import { type FingerprintText, readFingerprint } from '../linking/rules/fingerprint-text.js';
import { type ReadProof, readProof, spendProof } from '../proof/proof.js';
import type { Caller, Service, Transaction } from '../service.js';
import { gatherFacts, stateQuestion } from './gather.js';
import type { Judged } from './judged.js';
import { externalIdOf, type NormalisedRequest, normaliseRequest } from './normalised-request.js';
import { loadState, type State } from './queries/evaluation-state.js';
import { recordEvaluation } from './record.js';
import { judge } from './rules/judge.js';
import { saveEffects } from './save.js';
import { tokenOfDevice } from './tokens.js';

/**
 * Judges an action (specification 4.4) for the secret key, and carries the verdict out in the same transaction: user,
 * device, address, challenge and events.
 */
export async function evaluate(service: Service, caller: Caller, request: EvaluateRequest): Promise<Evaluation> {
  const proof = await readProof(service, caller, request);
  const evaluation = await service.db.transaction().execute(async (db) => {
    const judged = await judgeRequest(db, service, caller, request, proof);
    const effects = await saveEffects(db, service, caller, judged);
    return recordEvaluation(db, service, caller, judged, effects);
  });
  const { verdict, device_id, challenge_id } = evaluation;
  const hasToken = device_id !== undefined && verdict !== 'deny';
  return {
    ...evaluation,
    ...challengeUrlOf(service, caller, challenge_id),
    ...(hasToken && { device_token: tokenOfDevice(service, caller, device_id) }),
  };
}

/** Recognises, gathers and judges; the user is locked, so that what is read stays true until it is acted upon. */
export async function judgeRequest(
  db: Transaction,
  service: Service,
  caller: Caller,
  request: EvaluateRequest,
  proof: ReadProof,
): Promise<Judged> {
  const externalId = await externalIdOf(db, caller, request.user);
  await lockUser(db, caller.worldId, externalId);
  return judgeNormalised(
    db,
    service,
    caller,
    normaliseRequest(service, request, externalId, await spendProof(db, caller, proof)),
  );
}

/** The same for a request that was read, of a user who is locked. */
export async function judgeNormalised(
  db: Transaction,
  service: Service,
  caller: Caller,
  asked: NormalisedRequest,
): Promise<Judged> {
  const { request } = asked;
  const fingerprint = readFingerprint(request.fingerprint);
  const question = stateQuestion(service, caller, asked, fingerprint);
  // Who has the very fingerprint, and all that a verdict needs of it: most are known, and then nothing else has to be read.
  const glimpse = fingerprint.isReadable
    ? await loadState(db, question, { digest: digestOf(fingerprint.text) })
    : undefined;
  const recognition = await recognise(db, service, caller, {
    fingerprint,
    found: glimpse && { known: variantOf(glimpse, fingerprint) },
    last: request.last_fingerprint,
    user: asked.externalId,
  });
  // An identity that was just made has no past, as had the fingerprint that nobody knew.
  const isAsSeen = glimpse?.variant_id === recognition.variantId || recognition.matchedBy === 'new';
  const holds = isAsSeen && !recognition.hasMerged;
  const known = holds ? glimpse : undefined;
  const gathered = await gatherFacts(db, service, caller, { asked, recognition, question }, known);
  return { asked, recognition, gathered, judgement: judge(gathered.facts) };
}

function variantOf(state: State, { text }: FingerprintText): KnownVariant | undefined {
  const { variant_id, identity_id, variant_seen_at } = state;
  if (variant_id === null || identity_id === null || !variant_seen_at) return undefined;
  return { variantId: variant_id, identityId: identity_id, fingerprint: text, lastSeenAt: variant_seen_at };
}
