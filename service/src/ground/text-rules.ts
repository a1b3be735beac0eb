/** A lone surrogate is not valid Unicode and cannot be stored. */
const loneSurrogate = /\p{Surrogate}/u;

/** Returns whether PostgreSQL can store a text: it accepts neither U+0000 nor invalid Unicode. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && !loneSurrogate.test(value);
}

export const storableMessage = 'must be well-formed Unicode, without the character U+0000';
