import type { EvaluateRequest, Evaluation } from 'whorl/wire';
import { lockUser } from '../ground/db/locks.js';
import {
  digestOf,
  identityOfMissing,
  type Lookup,
  lookUpIdentity,
  type Recognition,
  type RecognitionInput,
  recognise,
} from '../recognition/linking/recognise.js';
import { type ReadProof, readProof, spendProof } from '../recognition/proof/proof.js';
import { challengeUrlOf } from '../resources/challenges/link.js';
import { hardwareOf } from '../resources/devices/hardware.js';
import {
  type FingerprintText,
  missingFingerprint,
  readFingerprint,
} from '../resources/devices/rules/fingerprint-text.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { gatherFacts } from './gather.js';
import type { Judged } from './judged.js';
import { type NormalisedRequest, normaliseRequest, ownNetwork } from './normalised-request.js';
import { refreshProjectRisk } from './project-risk.js';
import { loadState, type State } from './queries/evaluation-state.js';
import { recordEvaluation } from './record.js';
import { judge } from './rules/judge.js';
import { saveEffects } from './save.js';
import { stateLookup } from './shared-facts.js';
import { tokenOfDevice } from './tokens.js';

const notAccepted =
  'was ignored: it must name a challenge that was completed less than 10 minutes ago by the same browser, ' +
  'for the same user, action and address, and not used before';

/**
 * Judges an action for the secret key (see docs/evaluate.md) and carries out the verdict in the same transaction: stores
 * the user, device, address, challenge and events. A failed attempt is judged and recorded, and changes nothing else.
 * Without a fingerprint there is no device.
 */
export async function evaluate(
  service: Service,
  caller: Caller,
  request: EvaluateRequest,
  { warn }: { warn(path: string, message: string): void },
): Promise<Evaluation> {
  refreshProjectRisk(service, caller);
  const proof = await readProof(service, caller, request);
  const { evaluation, network, hasPassed } = await inTransaction(service, caller, async (work) => {
    const judged = await judgeRequest(work, request, proof);
    const effects = await saveEffects(work, judged);
    return {
      evaluation: await recordEvaluation(work, judged, effects),
      network: ownNetwork(judged.normalised),
      hasPassed: judged.gathered.facts.challengePassed !== undefined,
    };
  });
  if (request.completed_challenge !== undefined && !hasPassed) warn('completed_challenge', notAccepted);
  const { verdict, device_id, challenge_id } = evaluation;
  const hasToken = device_id !== undefined && verdict !== 'deny' && request.outcome !== 'failed';
  return {
    ...evaluation,
    ...(await hardwareOf(service, caller, request.fingerprint, { network, isRecorded: device_id !== undefined })),
    ...challengeUrlOf(service, caller, challenge_id),
    ...(hasToken && { device_token: tokenOfDevice(service, caller, device_id) }),
  };
}

/**
 * Recognises the fingerprint, gathers the facts and judges them. Locks the user, so that the facts stay true until the
 * verdict is carried out.
 */
export async function judgeRequest(work: UnitOfWork, request: EvaluateRequest, proof: ReadProof): Promise<Judged> {
  const { db, caller } = work;
  await lockUser(db, caller.worldId, request.user);
  return judgeNormalised(work, normaliseRequest(work, request, request.user, await spendProof(db, caller, proof)));
}

/** Judges a normalised request whose user is locked. */
export async function judgeNormalised(work: UnitOfWork, normalised: NormalisedRequest): Promise<Judged> {
  const { db, caller } = work;
  const { request } = normalised;
  const { fingerprint: text } = request;
  const fingerprint = text === undefined ? missingFingerprint : readFingerprint(text);
  const lookup = stateLookup(work, caller, normalised, fingerprint);
  // Most fingerprints are known. One query then returns the matching variant and all state that the verdict needs.
  const exactState = fingerprint.isReadable
    ? await loadState(db, lookup, { digest: digestOf(fingerprint.text) })
    : undefined;
  const recognition =
    fingerprint.text === undefined
      ? identityOfMissing(work)
      : await recogniseFor(work, normalised, {
          fingerprint,
          found: exactState && foundIn(exactState, fingerprint),
          last: request.last_fingerprint,
          user: normalised.externalId,
          key: normalised.proof.thumbprint,
        });
  // A new identity has no history, like the unknown fingerprint whose state was read.
  const isUnknown = exactState?.variant_id === null && recognition.matchedBy === 'new';
  const isSameVariant = exactState?.variant_id === recognition.variantId || isUnknown;
  const isStateValid = isSameVariant && !('hasMerged' in recognition && recognition.hasMerged);
  const known = isStateValid ? exactState : undefined;
  const gathered = await gatherFacts(work, { normalised, recognition, lookup }, known);
  return { normalised, recognition, gathered, judgement: judge(gathered.facts) };
}

/** Recognises a fingerprint. A failed attempt's is only looked up, so that it leaves no trace on an identity. */
function recogniseFor(
  work: UnitOfWork,
  { outcome }: NormalisedRequest,
  lookup: RecognitionInput,
): Promise<Recognition | Lookup> {
  return outcome === 'failed' ? lookUpIdentity(work, lookup) : recognise(work, lookup);
}

function foundIn(state: State, { text }: FingerprintText): RecognitionInput['found'] {
  const { variant_id, identity_id, variant_seen_at, is_own, has_other_users, key_identity_id } = state;
  const isKnown = variant_id !== null && identity_id !== null && variant_seen_at;
  return {
    known: isKnown
      ? {
          variantId: variant_id,
          identityId: identity_id,
          fingerprint: text,
          lastSeenAt: variant_seen_at,
          isOwn: is_own ?? false,
          hasUsers: has_other_users,
        }
      : undefined,
    keyIdentityId: key_identity_id ?? undefined,
  };
}
