import { signChallengeLink } from '../../ground/crypto/index.js';
import type { Caller, Service } from '../service.js';

/**
 * Returns the URL of the managed challenge page, if the project has enabled it. The URL can be used once, within 5
 * minutes.
 */
export function challengeUrlOf(
  { vault, publicUrl, now }: Service,
  { kind, worldId, settings }: Caller,
  challengeId: string | undefined,
): { readonly challenge_url?: string } {
  if (challengeId === undefined || !settings.managed_challenge_page) return {};
  const token = signChallengeLink(vault, { challengeId, worldId, isClaim: kind === 'publishable' }, now());
  return { challenge_url: `${publicUrl}/challenge/${challengeId}?token=${token}` };
}
