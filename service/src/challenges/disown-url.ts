import { signDisownLink } from '../ground/crypto/index.js';
import type { Caller, Service } from '../resources/service.js';

/** Returns the URL where the receiver of a message can say that the attempt of a challenge was not theirs. */
export function disownUrlOf(
  { vault, publicUrl }: Pick<Service, 'vault' | 'publicUrl'>,
  { worldId }: Pick<Caller, 'worldId'>,
  challengeId: string,
): string {
  return `${publicUrl}/n/${signDisownLink(vault, { worldId, challengeId })}`;
}
