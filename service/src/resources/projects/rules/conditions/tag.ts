/** Maximum number of tags of an evaluation. Those of the first rules are kept. */
export const maxTags = 10;

/** What a tag is, in words. */
export const tagForm = '1 to 40 lower-case letters of the English alphabet, digits, hyphens and underscores';

/** It begins with a letter or a digit, so that no spreadsheet takes it for a formula. */
export const tagPattern = /^[a-z0-9][a-z0-9_-]{0,39}$/;
