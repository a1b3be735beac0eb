const shortest = 12;
const longest = 1000;
/** Of zxcvbn's scores, 0 to 4. From 3, guessing takes too long even with the (slow) hashes. */
const lowestScore = 3;

/** The rule for new passwords, for the form. */
export const passwordHint = `Use at least ${shortest} characters that are hard to guess, such as four or more uncommon words.`;
export const passwordLength = { minLength: shortest, maxLength: longest };

/**
 * Returns what is wrong with a new password and what to do about it; undefined where it is strong enough.
 *
 * @param email Whose it is: what stands in the address is easy to guess.
 */
export async function passwordProblem(password: string, email: string | undefined): Promise<string | undefined> {
  const { length } = [...password];
  if (length < shortest) return `The password must have at least ${shortest} characters. This one has ${length}.`;
  if (length > longest) return `The password can have at most ${longest.toLocaleString('en-GB')} characters.`;
  const { score, feedback } = (await loadEstimator()).check(password, personalWords(email));
  if (score >= lowestScore) return undefined;
  const why = feedback.warning ?? 'It contains common words or patterns.';
  return [`This password is too easy to guess. ${why}`, ...feedback.suggestions].join(' ');
}

function personalWords(email = ''): string[] {
  return ['whorl', 'dashboard', email, ...email.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

let estimator: ReturnType<typeof createEstimator> | undefined;

/** Loaded when the first password is set: its dictionaries take 60 MB of memory. */
function loadEstimator(): ReturnType<typeof createEstimator> {
  estimator ??= createEstimator();
  return estimator;
}

async function createEstimator() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  });
}

/** How many wrong passwords are free of a wait, and how the wait grows after them. */
export interface Tolerance {
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/**
 * What wrong passwords are counted by. A source is a network (IPv4 address, IPv6 /64). Counting by account and source
 * together protects the account's owner from attempts elsewhere. The other two limit attacks on one account from many
 * sources, and on many accounts from one source.
 */
export const tolerances = {
  /** One account from one source. */
  pair: { free: 4, firstSeconds: 30, longestSeconds: 15 * 60 },
  /** One account from all sources that it was not signed in to from lately. */
  account: { free: 49, firstSeconds: 30, longestSeconds: 15 * 60 },
  /** All accounts from one source: many people may come from one. */
  source: { free: 19, firstSeconds: 30, longestSeconds: 60 * 60 },
} as const satisfies Record<string, Tolerance>;

/** After this time without another wrong password, the counts are reset. */
export const forgottenAfterHours = 24;

/** How long a source is known after an account was signed in to from there. */
export const knownSourceDays = 90;

/** Returns the wait in seconds after a number of wrong passwords. It doubles with each one. */
export function waitAfter(failures: number, { free, firstSeconds, longestSeconds }: Tolerance): number {
  if (failures <= free) return 0;
  return Math.min(longestSeconds, firstSeconds * 2 ** (failures - free - 1));
}

/** Returns the message about too many wrong passwords. */
export function tooMany(seconds: number): string {
  const wait = seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many wrong passwords. Try again in ${wait}.`;
}
