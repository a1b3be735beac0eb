const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * A 32-bit hash of numbers, one 32-bit word each: a multiplication and a shift for each word, as in MurmurHash2, and
 * the finaliser of MurmurHash3 (Appleby, public domain). As short as it can be, since it runs before any compiler has
 * seen it. Not cryptographic, and need not be: nothing here is secret, and what is hashed could be guessed anyway.
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

/** A 32-bit hash of a text, over its UTF-16 code units. */
export function hashText(text: string): number {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < units.length; index++) units[index] = text.charCodeAt(index);
  return hash32(units);
}

/** The low 24 bits of a number as four base64url characters. */
export function encode24(bits: number): string {
  return [18, 12, 6, 0].map((shift) => base64url[(bits >> shift) & 63]).join('');
}

/** The number that `encode24` made four characters of. */
export function decode24(text: string): number {
  return [...text].reduce((bits, character) => (bits << 6) | base64url.indexOf(character), 0);
}
