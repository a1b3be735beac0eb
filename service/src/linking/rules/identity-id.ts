import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Returns the id that a fingerprint's identity gets where the fingerprint is new: the same one for the same fingerprint
 * in the same world. A page is told it before anything is stored, and it still holds when the secret key stores the
 * fingerprint. A UUID version 7 of the moment at which the project was created.
 */
export function newIdentityId(
  { worldId, createdAt }: { readonly worldId: string; readonly createdAt: Date },
  digest: Uint8Array,
): string {
  const hash = createHash('sha256').update(worldId).update(digest).digest();
  return v7({ msecs: createdAt.getTime(), seq: hash.readUInt32BE(16), random: hash.subarray(0, 16) });
}
