import { hash, verify } from '@node-rs/argon2';

/** Made of random bytes: nobody has the password. With the parameters of all others, so that it takes as long. */
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$5Qnj7LTqRSS75/9Kz+R4oQ$dKhM/vfm6eoZn0g2JblQU35qvTs0GZamdowZXEJYRuc';

/** As OWASP's Password Storage Cheat Sheet has it for argon2id. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What is kept of a password: argon2id (RFC 9106), with its own salt and parameters in it. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), parameters);
}

/** Whether a password is the one of a hash. Without a hash it never is, and takes as long to find out. */
export async function isPassword(password: string, of: string | undefined): Promise<boolean> {
  const isRight = await verify(of ?? nobodys, normalise(password));
  return of !== undefined && isRight;
}

/** Keyboards and systems compose letters differently (NIST SP 800-63B, 5.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}
