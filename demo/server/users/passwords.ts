import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

// The recommendation of OWASP's Password Storage Cheat Sheet for scrypt, in its variant with the least memory.
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Returns a password as it is stored: `salt.hash`, both base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${salt.toString('base64url')}.${(await hash(password, salt)).toString('base64url')}`;
}

/**
 * Returns whether a password matches the stored one. Takes the same time if nothing is stored, so that the duration
 * does not reveal whether an account exists.
 */
export async function matchesPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = '', expected = ''] = (stored ?? '').split('.');
  const actual = await hash(password, Buffer.from(salt, 'base64url'));
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === actual.length && timingSafeEqual(wanted, actual);
}

function hash(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
