import { type KeyScope, keyScopes } from '../../../ground/vocabulary.js';

/** What a secret key with each scope may call, for the dashboard and the command line. */
export const scopeTexts: Readonly<Record<KeyScope, string>> = {
  evaluate: 'evaluations, devices, users and challenges',
  read: 'only GET requests about evaluations, devices, users, challenges and lists',
  manage: 'settings, lists and webhook endpoints of the project, and nothing else',
};

/** Returns the scopes that a key of a mode can have. Settings also apply to live keys, so test keys cannot manage them. */
export function scopesOfMode(mode: ScopeChoice['mode']): readonly KeyScope[] {
  return mode === 'live' ? keyScopes : keyScopes.filter((scope) => scope !== 'manage');
}

export interface ScopeChoice {
  readonly kind: 'secret' | 'publishable';
  readonly mode: 'live' | 'test';
  /** Default: `evaluate` for a secret key, none for a publishable one. */
  readonly scopes?: readonly KeyScope[] | undefined;
}

/** Returns the scopes of a key in their usual order, or what is wrong with the choice. */
export function readScopes({ kind, mode, scopes }: ScopeChoice): { scopes: KeyScope[] } | { problem: string } {
  if (kind === 'publishable') {
    return scopes?.length
      ? { problem: 'A publishable key has no scopes. Choose scopes for a secret key.' }
      : { scopes: [] };
  }
  const chosen = keyScopes.filter((scope) => (scopes ?? ['evaluate']).includes(scope));
  if (chosen.length === 0) return { problem: 'A secret key needs a scope. Choose at least one.' };
  const missing = chosen.find((scope) => !scopesOfMode(mode).includes(scope));
  if (missing === undefined) return { scopes: chosen };
  return { problem: `A test key cannot have the scope "${missing}", because settings apply to live keys as well.` };
}

/** Returns whether two keys have the same scopes. One replaces the other in a rotation. */
export function haveSameScopes(one: readonly KeyScope[], other: readonly KeyScope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}
