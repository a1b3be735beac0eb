import { hash, verify } from '@node-rs/argon2';

/**
 * Hash of random bytes that match no password. It has the same parameters as real hashes, so that checking it takes as
 * long.
 */
const placeholderHash =
  '$argon2id$v=19$m=19456,t=2,p=1$5Qnj7LTqRSS75/9Kz+R4oQ$dKhM/vfm6eoZn0g2JblQU35qvTs0GZamdowZXEJYRuc';

/** Stored for an account without a password. */
export const noPassword = placeholderHash;

/** Recommended for argon2id by OWASP's Password Storage Cheat Sheet. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Returns the hash to store for a password: argon2id (RFC 9106), which includes its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), parameters);
}

/**
 * Returns whether a password matches a hash. Without a hash it returns false after the same time, so that the time does
 * not reveal whether an account exists.
 */
export async function isPassword(password: string, of: string | undefined): Promise<boolean> {
  const isRight = await verify(of ?? placeholderHash, normalise(password));
  return of !== undefined && isRight;
}

/** Keyboards and systems compose accented letters differently (NIST SP 800-63B, 5.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
