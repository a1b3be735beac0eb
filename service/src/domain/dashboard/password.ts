const shortest = 12;
const longest = 1000;

/** What is asked of a new password, for the form. */
export const passwordHint = `At least ${shortest} characters.`;
export const passwordLength = { minLength: shortest, maxLength: longest };

/** Why a text cannot be a new password; undefined where it can. */
export function passwordProblem(password: string): string | undefined {
  const { length } = [...password];
  if (length < shortest) return `A password has at least ${shortest} characters; this has ${length}.`;
  if (length > longest) return `A password has at most ${longest.toLocaleString('en-GB')} characters.`;
  return undefined;
}
