import { isTokenSignature, tokenSignature } from './token-signature.js';
import type { Vault } from './vault.js';

/** Pages whose forms carry a token. A token for one purpose is not valid for another. */
export type FormPurpose = 'challenge-page.csrf' | 'dashboard.csrf';

const signatureBytes = 32;

/** Returns the CSRF token for a form: an HMAC of a value in the browser's cookie. Other sites cannot compute it. */
export function formTokenOf(vault: Vault, purpose: FormPurpose, cookie: string): string {
  return tokenSignature(vault, purpose, cookie).toString('base64url');
}

/** Returns whether a submitted token was issued for this browser's cookie. */
export function isFormTokenOf(vault: Vault, purpose: FormPurpose, cookie: string, token: string | null): boolean {
  const signature = Buffer.from(token ?? '', 'base64url');
  return signature.length === signatureBytes && isTokenSignature(vault, purpose, signature, cookie);
}
