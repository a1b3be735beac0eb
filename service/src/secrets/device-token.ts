import { errors, jwtVerify, SignJWT } from 'jose';
import type { Vault } from './vault.js';

/** How long a device token is good. */
export const deviceTokenHours = 24;

export interface DeviceToken {
  /** The id of the device. */
  readonly device: string;
  /** The id of what the device belongs to: another project's token is of no use. */
  readonly project: string;
  readonly expires: Date;
}

const purpose = 'device-token';
const algorithm = 'HS256';

/**
 * The token with which the page of a device hears of its detachment: a JSON Web Token (RFC 7519) that says which device
 * and whose, signed with a key of the vault's. It holds nothing personal, and allows nothing else.
 */
export function signDeviceToken(
  vault: Vault,
  { device, project }: Pick<DeviceToken, 'device' | 'project'>,
  now: Date,
): Promise<string> {
  return new SignJWT({ project })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(device)
    .setAudience(purpose)
    .setExpirationTime(new Date(now.getTime() + deviceTokenHours * 3_600_000))
    .sign(vault.keys(purpose)[0]);
}

/** What a token says; undefined where it is none of ours, was changed, or is too old. */
export async function verifyDeviceToken(vault: Vault, token: string, now: Date): Promise<DeviceToken | undefined> {
  for (const key of vault.keys(purpose)) {
    const verified = await verifyWith(key, token, now);
    if (verified) return verified;
  }
  return undefined;
}

async function verifyWith(key: Uint8Array, token: string, now: Date): Promise<DeviceToken | undefined> {
  try {
    const { payload } = await jwtVerify<{ project: unknown }>(token, key, {
      algorithms: [algorithm],
      audience: purpose,
      requiredClaims: ['sub', 'exp', 'project'],
      currentDate: now,
    });
    const { sub, exp, project } = payload;
    if (sub === undefined || exp === undefined || typeof project !== 'string') return undefined;
    return { device: sub, project, expires: new Date(exp * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
