import type { Key } from './types';

/** Returns the key that is pressed, and the one that is held meanwhile: `Control+Enter`, but not `+` alone. */
export function chordOf(key: Key): { held?: 'Control'; pressed: string } {
  const [, pressed] = /^Control\+(.+)$/.exec(key) ?? [];
  return pressed === undefined ? { pressed: key } : { held: 'Control', pressed };
}
