import { isTokenMark, tokenMark } from './token-mark.js';
import type { Vault } from './vault.js';

/** Pages whose forms carry a token. A token for one purpose is not valid for another. */
export type FormPurpose = 'challenge-page.csrf' | 'dashboard.csrf';

const markBytes = 32;

/** Returns the CSRF token for a form: an HMAC of a value in the browser's cookie. Other sites cannot compute it. */
export function formTokenOf(vault: Vault, purpose: FormPurpose, kept: string): string {
  return tokenMark(vault, purpose, kept).toString('base64url');
}

/** Returns whether a submitted token was issued for this browser's cookie. */
export function isFormTokenOf(vault: Vault, purpose: FormPurpose, kept: string, given: string | null): boolean {
  const mark = Buffer.from(given ?? '', 'base64url');
  return mark.length === markBytes && isTokenMark(vault, purpose, mark, kept);
}
