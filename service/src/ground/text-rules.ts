/** A lone surrogate is not valid Unicode and cannot be stored. */
const loneSurrogate = /\p{Surrogate}/u;

/** Returns whether PostgreSQL can store a text: it accepts neither U+0000 nor invalid Unicode. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && !loneSurrogate.test(value);
}

/** Returns a text with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const storableMessage = 'must be well-formed Unicode, without the character U+0000';
