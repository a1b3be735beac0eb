import type { Caller, Database, Service } from '../../service.js';
import { markAnnounced } from '../../store/queries/challenges.js';
import { emit } from '../emit.js';
import { loadChallengeView } from '../views.js';

/**
 * Ties a challenge to its user and device and tells of it, once: when an evaluation or an attachment makes it, or when
 * the secret key first touches what a publishable key claimed.
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
  if (!announced) return;
  const challenge = await loadChallengeView(db, service, caller, announced);
  await emit(db, service, caller, 'challenge.initiated', { challenge }, { userId });
}
