import { hourSeconds } from '../time.js';
import { isPreviousTokenSignature, isTokenSignature, tokenSignature } from './token-signature.js';
import type { Vault } from './vault.js';

/** Lifetime of a device token, in hours. */
export const deviceTokenHours = 24;

export interface DeviceToken {
  /** Device ID. */
  readonly device: string;
  /** Project ID. A token is valid only in the project that it was issued for. */
  readonly project: string;
  readonly expires: Date;
  /** Whether the previous master secret signed it. If so, the page needs a new token now. */
  readonly isOutdated: boolean;
}

const purpose = 'device-token';
/** Device, project, expiry (seconds since 1970), and signature. */
const format = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Returns a signed token (HMAC-SHA-256). A device's page uses it to learn when the device is detached. It holds no
 * personal data and grants nothing else. It is not a JSON Web Token because only the service reads it, and every
 * evaluation issues one: signing this takes a fiftieth of the time.
 */
export function signDeviceToken(
  vault: Vault,
  { device, project }: Pick<DeviceToken, 'device' | 'project'>,
  now: Date,
): string {
  const payload = `${device}.${project}.${Math.floor(now.getTime() / 1000) + deviceTokenHours * hourSeconds}`;
  return `${payload}.${tokenSignature(vault, purpose, payload).toString('base64url')}`;
}

/**
 * Returns the contents of a token; undefined if it was not issued here, was changed, or has expired. A token signed
 * with the previous master secret is accepted for as long as the vault accepts it.
 */
export function verifyDeviceToken(vault: Vault, token: string, now: Date): DeviceToken | undefined {
  const [, device, project, seconds, encoded] = format.exec(token) ?? [];
  if (!device || !project || !seconds || !encoded) return undefined;
  const payload = `${device}.${project}.${seconds}`;
  const signature = Buffer.from(encoded, 'base64url');
  const isCurrent = isTokenSignature(vault, purpose, signature, payload);
  if (!isCurrent && !isPreviousTokenSignature(vault, { purpose, now }, signature, payload)) return undefined;
  const expires = new Date(Number(seconds) * 1000);
  return expires > now ? { device, project, expires, isOutdated: !isCurrent } : undefined;
}
