import type { Caller, Database, Service } from '../../service.js';
import { type ChallengeRow, markAnnounced } from '../../store/queries/challenges.js';
import { emit } from '../emit.js';
import { loadChallengeView } from '../views.js';

/**
 * Ties a challenge to its user and device and tells of it, once: when the secret key first touches what a
 * publishable key claimed.
 */
export async function announceChallenge(
  db: Database,
  service: Service,
  caller: Caller,
  challengeId: string,
  { userId, deviceId }: { readonly userId: string; readonly deviceId: string | undefined },
): Promise<void> {
  const announced = await markAnnounced(db, caller.worldId, challengeId, {
    userId,
    deviceId: deviceId ?? null,
    at: service.now(),
  });
  if (announced) await tellOfChallenge(db, service, caller, announced, userId);
}

/** Tells of a challenge that is tied to its user and device. */
export async function tellOfChallenge(
  db: Database,
  service: Service,
  caller: Caller,
  row: ChallengeRow,
  userId: string,
): Promise<void> {
  const challenge = await loadChallengeView(db, service, caller, row);
  await emit(db, service, caller, 'challenge.initiated', { challenge }, { userId });
}
