const shortest = 12;
const longest = 1000;
/** Of zxcvbn's scores, 0 to 4: from 3 on, guessing takes too long even for who has the hashes, as slow as ours are. */
const lowestScore = 3;

/** What is asked of a new password, for the form. */
export const passwordHint = `At least ${shortest} characters that are hard to guess, such as four or more uncommon words.`;
export const passwordLength = { minLength: shortest, maxLength: longest };

/**
 * Returns what is wrong with a new password and what to do about it; undefined where it is strong enough.
 *
 * @param email Whose it is: what stands in the address is easy to guess.
 */
export async function passwordProblem(password: string, email: string | undefined): Promise<string | undefined> {
  const { length } = [...password];
  if (length < shortest) return `A password has at least ${shortest} characters; this has ${length}.`;
  if (length > longest) return `A password has at most ${longest.toLocaleString('en-GB')} characters.`;
  const { score, feedback } = (await loadEstimator()).check(password, personalWords(email));
  if (score >= lowestScore) return undefined;
  const why = feedback.warning ?? 'It could be guessed by trying common words and patterns.';
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

/** How many wrong passwords in a row cost nothing, and how the wait grows after them. */
export interface Tolerance {
  readonly free: number;
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/**
 * What wrong passwords are counted by. A source is a network (IPv4 address, IPv6 /64). Counting by account and source
 * together keeps what strangers do elsewhere from the right person; the other two bound who tries one account from many
 * sources, and many accounts from one.
 */
export const tolerances = {
  /** One account from one source. */
  pair: { free: 4, firstSeconds: 30, longestSeconds: 15 * 60 },
  /** One account from all sources that it was not signed in to from lately. */
  account: { free: 49, firstSeconds: 30, longestSeconds: 15 * 60 },
  /** All accounts from one source: many people may come from one. */
  source: { free: 19, firstSeconds: 30, longestSeconds: 60 * 60 },
} as const satisfies Record<string, Tolerance>;

/** After so long without another, wrong passwords are forgotten. */
export const forgottenAfterHours = 24;

/** How long a source is known after an account was signed in to from there. */
export const knownSourceDays = 90;

/** Returns for how many seconds no password is looked at after so many wrong ones: it doubles with each. */
export function waitAfter(failures: number, { free, firstSeconds, longestSeconds }: Tolerance): number {
  if (failures <= free) return 0;
  return Math.min(longestSeconds, firstSeconds * 2 ** (failures - free - 1));
}
