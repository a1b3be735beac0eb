import type { ClaimedEvaluation, EvaluateRequest, Evaluation } from 'whorl/wire';
import { challenges } from '../domain/devices/status-after.js';
import { judge } from '../domain/evaluation/judge.js';
import type { Caller, Service, Transaction } from '../service.js';
import { lockUser } from '../store/queries/locks.js';
import { challengeUrlOf } from './challenge-page/link.js';
import { readAsked } from './evaluation/asked.js';
import { gatherFacts } from './evaluation/gather.js';
import { recordEvaluation } from './evaluation/record.js';
import { type Judged, saveChallenge, saveEffects } from './evaluation/save.js';
import { type ReadProof, readProof, spendProof } from './proof.js';
import { recognise } from './recognise.js';
import { signEvaluationToken, tokenOfDevice } from './tokens.js';

/**
 * Judges an action (specification 4.4). With the secret key the verdict is carried out in the same transaction: user,
 * device, address, challenge and events. With a publishable key nothing but the evaluation, the fingerprint and the
 * challenge's claim is kept until the secret key consumes it.
 */
export async function evaluate(
  service: Service,
  caller: Caller,
  request: EvaluateRequest,
): Promise<Evaluation | ClaimedEvaluation> {
  const proof = await readProof(service, caller, request);
  const evaluation = await service.db.transaction().execute(async (db) => {
    const judged = await judgeRequest(db, service, caller, request, proof);
    const effects =
      caller.kind === 'secret'
        ? await saveEffects(db, service, caller, judged)
        : await saveClaim(db, service, caller, judged);
    return recordEvaluation(db, service, caller, judged, effects);
  });
  if (caller.kind === 'secret') {
    const { device_id, challenge_id } = evaluation;
    return {
      ...evaluation,
      ...challengeUrlOf(service, caller, challenge_id),
      ...(device_id !== undefined && { device_token: tokenOfDevice(service, caller, device_id) }),
    };
  }
  const { evaluation_id, verdict, fingerprint_id, challenge_id } = evaluation;
  const { user, action } = request;
  return {
    evaluation_id,
    verdict,
    fingerprint_id,
    ...(challenge_id === undefined ? {} : { challenge_id }),
    ...challengeUrlOf(service, caller, challenge_id),
    token: await signEvaluationToken(service, caller, { evaluation_id, user, action, fingerprint_id, verdict }),
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
  const unspent = await readAsked(db, service, caller, request);
  await lockUser(db, caller.worldId, unspent.externalId);
  const asked = { ...unspent, proof: await spendProof(db, caller, proof) };
  const recognition = await recognise(db, service, caller, {
    fingerprint: request.fingerprint,
    last: request.last_fingerprint,
    // A stranger must not learn from the answer what devices a user has.
    user: caller.kind === 'secret' ? asked.externalId : undefined,
  });
  const gathered = await gatherFacts(db, service, caller, asked, recognition);
  return { asked, recognition, gathered, judgement: judge(gathered.facts) };
}

async function saveClaim(db: Transaction, service: Service, caller: Caller, judged: Judged) {
  const { verdict, findings } = judged.judgement;
  const userId = judged.gathered.state.user_id ?? undefined;
  const reasons = findings.map(({ reason }) => reason);
  const challengeId = challenges(verdict)
    ? await saveChallenge(db, service, caller, judged, reasons, { userId: undefined, deviceId: undefined })
    : undefined;
  return { userId, deviceId: undefined, challengeId };
}
