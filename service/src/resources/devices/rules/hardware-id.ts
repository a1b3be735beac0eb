import { v5 } from 'uuid';
import type { FingerprintText } from './fingerprint-text.js';

/**
 * Returns the ID of a fingerprint's hardware: the same for all devices of a world whose system, browser family and hardware
 * facets agree. It reveals no facet, because it is hashed with the random ID of the world. It does not depend on the
 * master secret. Undefined if too few facets could be read.
 */
export function hardwareIdOf(
  worldId: string,
  { isReadable, hardwareKey }: Pick<FingerprintText, 'isReadable' | 'hardwareKey'>,
): string | undefined {
  return isReadable && hardwareKey !== undefined ? hardwareIdOfKey(worldId, hardwareKey) : undefined;
}

/** Returns the ID of a hardware key. */
export function hardwareIdOfKey(worldId: string, hardwareKey: string): string {
  return v5(hardwareKey, worldId);
}
