const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns a 32-bit hash of 32-bit words. Each word takes a multiplication and a shift, as in MurmurHash2, followed by
 * the finaliser of MurmurHash3 (Appleby, public domain). Kept short, because it runs before the code is compiled. It is
 * not cryptographic and does not need to be: nothing here is secret, and the input could be guessed anyway.
 */
export function hash32(words: ArrayLike<number>): number {
  let state = words.length;
  for (let index = 0; index < words.length; index++) {
    state = Math.imul(state ^ (words[index] ?? 0), 0x5bd1e995);
    state ^= state >>> 15;
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** Returns a 32-bit hash of the UTF-16 code units of a text. */
export function hashText(text: string): number {
  return hash32(new Uint16Array(text.length).map((_, index) => text.charCodeAt(index)));
}

/** Returns the low 24 bits of a number as four base64url characters. */
export function encode24(bits: number): string {
  return [18, 12, 6, 0].map((shift) => base64url[(bits >> shift) & 63]).join('');
}

/** Returns the number that `encode24` encoded. */
export function decode24(text: string): number {
  return [...text].reduce((bits, character) => (bits << 6) | base64url.indexOf(character), 0);
}
