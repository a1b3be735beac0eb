const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A 32-bit hash of numbers: MurmurHash3's x86 32-bit body and finaliser (Appleby, public domain) over one 32-bit word
 * per item. Not cryptographic, and need not be: nothing here is secret, and what is hashed could be guessed anyway.
 */
export function hash32(words: ArrayLike<number>): number {
  let state = words.length;
  for (let index = 0; index < words.length; index++) {
    let word = Math.imul(words[index] ?? 0, 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    state ^= word;
    state = Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64;
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** The UTF-16 code units of a text, as `hash32` takes them. */
export function codeUnits(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/** The low 24 bits of a number as four base64url characters. */
export function encode24(bits: number): string {
  return [18, 12, 6, 0].map((shift) => base64url[(bits >> shift) & 63]).join('');
}

/** The number that `encode24` made four characters of. */
export function decode24(text: string): number {
  return [...text].reduce((bits, character) => (bits << 6) | base64url.indexOf(character), 0);
}
