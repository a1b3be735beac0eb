import { isPreviousTokenMark, isTokenMark, tokenMark } from './token-mark.js';
import type { Vault } from './vault.js';

/** How long a device token is good. */
export const deviceTokenHours = 24;

export interface DeviceToken {
  /** The id of the device. */
  readonly device: string;
  /** The id of what the device belongs to: another project's token is of no use. */
  readonly project: string;
  readonly expires: Date;
  /** Whether the previous master secret signed it: the page is to get a new one at once. */
  readonly isOutdated: boolean;
}

const purpose = 'device-token';
/** Device, project, the second at which it ends, and the mark over them. */
const format = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * The token with which the page of a device hears of its detachment: it says which device, whose, and until when, under
 * a mark (HMAC-SHA-256) that only the service can make. It holds nothing personal, and allows nothing else. No JSON Web
 * Token, since only the service reads it, and makes one with every evaluation: this costs a fiftieth of the time.
 */
export function signDeviceToken(
  vault: Vault,
  { device, project }: Pick<DeviceToken, 'device' | 'project'>,
  now: Date,
): string {
  const claims = `${device}.${project}.${Math.floor(now.getTime() / 1000) + deviceTokenHours * 3600}`;
  return `${claims}.${tokenMark(vault, purpose, claims).toString('base64url')}`;
}

/**
 * Returns what a token says; undefined where it was not issued here, was changed, or has expired. One that the previous
 * master secret signed is accepted as long as the vault says.
 */
export function verifyDeviceToken(vault: Vault, token: string, now: Date): DeviceToken | undefined {
  const [, device, project, seconds, mark] = format.exec(token) ?? [];
  if (!device || !project || !seconds || !mark) return undefined;
  const claims = `${device}.${project}.${seconds}`;
  const signature = Buffer.from(mark, 'base64url');
  const isCurrent = isTokenMark(vault, purpose, signature, claims);
  if (!isCurrent && !isPreviousTokenMark(vault, { purpose, now }, signature, claims)) return undefined;
  const expires = new Date(Number(seconds) * 1000);
  return expires > now ? { device, project, expires, isOutdated: !isCurrent } : undefined;
}
