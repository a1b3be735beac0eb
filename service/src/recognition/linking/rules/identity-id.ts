import { createHash } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Returns the ID for the identity of a new fingerprint: always the same ID for the same fingerprint in the same world.
 * A page can be given this ID before anything is stored, and it stays valid when the secret key stores the fingerprint.
 * It is a UUID version 7 with the time when the project was created.
 */
export function newIdentityId(
  { worldId, createdAt }: { readonly worldId: string; readonly createdAt: Date },
  digest: Uint8Array,
): string {
  const hash = createHash('sha256').update(worldId).update(digest).digest();
  return v7({ msecs: createdAt.getTime(), seq: hash.readUInt32BE(16), random: hash.subarray(0, 16) });
}
