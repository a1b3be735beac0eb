import { validate as isUuid } from 'uuid';
import { minuteMs } from '../ground/time.js';
import { findVariantFingerprint } from '../recognition/linking/queries/variants.js';
import type { Lookup } from '../recognition/linking/recognise.js';
import { findChallenge } from '../resources/challenges/queries.js';
import { readFingerprint } from '../resources/devices/rules/fingerprint-text.js';
import type { Database, UnitOfWork } from '../resources/service.js';
import { type NormalisedRequest, ownNetwork } from './normalised-request.js';
import type { State } from './queries/evaluation-state.js';

/** Time after completion within which a challenge is accepted. */
const acceptedMs = 10 * minuteMs;

interface Attempt {
  readonly normalised: NormalisedRequest;
  readonly recognition: Pick<Lookup, 'fingerprint' | 'identityId'>;
}

/**
 * Returns the challenge that a request's browser completed for it: of the same user, action and address, not used
 * before, and completed moments ago. If the browser has a readable fingerprint, it must be the same device; if it has
 * none, the challenge must have been completed without one. The user must be locked, so that one challenge is not used
 * twice.
 */
export async function findPassedChallenge(
  { db, caller: { worldId }, now }: UnitOfWork<Database>,
  { normalised, recognition }: Attempt,
  { suspension }: Pick<State, 'suspension'>,
): Promise<string | undefined> {
  const { completed_challenge: id, action } = normalised.request;
  if (id === undefined || !isUuid(id) || normalised.outcome !== 'succeeded') return undefined;
  const challenge = await findChallenge(db, worldId, id);
  if (challenge?.status !== 'completed' || !challenge.completed_at || challenge.redeemed_at) return undefined;
  const isSame =
    challenge.external_user === normalised.externalId &&
    challenge.action === action &&
    challenge.network === (ownNetwork(normalised) ?? null);
  const isCurrent =
    now().getTime() - challenge.completed_at.getTime() <= acceptedMs && challenge.revocations >= (suspension ?? 0);
  if (!isSame || !isCurrent) return undefined;
  const { variant_id: variantId } = challenge;
  if (recognition.fingerprint.isReadable) return challenge.identity_id === recognition.identityId ? id : undefined;
  if (variantId === null) return id;
  return readFingerprint(await findVariantFingerprint(db, worldId, variantId)).isReadable ? undefined : id;
}
