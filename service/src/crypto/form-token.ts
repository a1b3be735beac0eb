import { isTokenMark, tokenMark } from './token-mark.js';
import type { Vault } from './vault.js';

/** Whose forms: a token of one is good for no other. */
export type FormPurpose = 'challenge-page.csrf' | 'dashboard.csrf';

const markBytes = 32;

/** What a form carries, and no page of another site knows: a keyed mark of what the browser keeps. */
export function formTokenOf(vault: Vault, purpose: FormPurpose, kept: string): string {
  return tokenMark(vault, purpose, kept).toString('base64url');
}

/** Whether a form came with the token of what the browser keeps. */
export function isFormTokenOf(vault: Vault, purpose: FormPurpose, kept: string, given: string | null): boolean {
  const mark = Buffer.from(given ?? '', 'base64url');
  return mark.length === markBytes && isTokenMark(vault, purpose, mark, kept);
}
