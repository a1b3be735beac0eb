import { generateSecret, generateURI, verifySync } from 'otplib';

const periodSeconds = 30;
const issuer = 'Whorl';

/** Returns a new secret for an authenticator app, in base32. */
export function createTotpSecret(): string {
  return generateSecret();
}

/** Returns the address that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return generateURI({ issuer, label: email, secret });
}

/**
 * Returns the time step of a code (RFC 6238: SHA-1, 6 digits, 30 s). Returns undefined for a wrong code. The steps before
 * and after the current one count too, because clocks differ.
 */
export function matchTotp(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: periodSeconds });
  return result.valid ? Math.floor(epoch / periodSeconds) + result.delta : undefined;
}
