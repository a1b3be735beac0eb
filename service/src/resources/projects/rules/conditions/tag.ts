/** Maximum number of tags of an evaluation. Those of the first rules are kept. */
export const maxTags = 10;

/** Maximum length of a tag, in characters. */
export const maxTagLength = 40;

/** What a tag is, in words. */
export const tagForm = `1 to ${maxTagLength} lower-case letters of the English alphabet, digits, hyphens and underscores`;

/** It begins with a letter or a digit, so that no spreadsheet takes it for a formula. */
export const tagPattern = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${maxTagLength - 1}}$`);
