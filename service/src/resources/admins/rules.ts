import { hourSeconds, minuteSeconds } from '../../ground/time.js';

const minLength = 12;
const maxLength = 1000;
/** zxcvbn's scores range from 0 to 4. From 3, guessing takes too long even with the (slow) hashes. */
const minScore = 3;

/** Rule for new passwords, shown in the form. */
export const passwordHint = `Use at least ${minLength} characters that are hard to guess, such as four or more uncommon words.`;
export const passwordLength = { minLength, maxLength };

/**
 * Returns what is wrong with a new password and how to fix it, or undefined if it is strong enough.
 *
 * @param email Email address of the account. A password that contains parts of it is easy to guess.
 */
export async function passwordProblem(password: string, email: string | undefined): Promise<string | undefined> {
  const { length } = [...password];
  if (length < minLength) return `The password must have at least ${minLength} characters. This one has ${length}.`;
  if (length > maxLength) return `The password can have at most ${maxLength.toLocaleString('en-GB')} characters.`;
  const { score, feedback } = (await loadEstimator()).check(password, personalWords(email));
  if (score >= minScore) return undefined;
  const why = feedback.warning ?? 'It contains common words or patterns.';
  return [`This password is too easy to guess. ${why}`, ...feedback.suggestions].join(' ');
}

function personalWords(email = ''): string[] {
  return ['whorl', 'dashboard', email, ...email.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

let estimator: ReturnType<typeof createEstimator> | undefined;

/** Loads the estimator when the first password is set: its dictionaries take 60 MB of memory. */
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

/** How long a confirmed password allows sensitive actions, in minutes. */
export const confirmationMinutes = 10;

/** How long signing in with the provider may take. */
export const providerFlowSeconds = 10 * minuteSeconds;

/** Number of wrong passwords without a wait, and how the wait grows after them. */
export interface Tolerance {
  readonly free: number;
  readonly firstSeconds: number;
  readonly maxSeconds: number;
}

/**
 * Tolerances by which wrong passwords are counted. A source is a network (IPv4 address, IPv6 /64). Counting by account
 * and source together protects the account's owner from attempts elsewhere. The other two limit attacks on one account
 * from many sources, and on many accounts from one source.
 */
export const tolerances = {
  /** One account from one source. */
  pair: { free: 4, firstSeconds: 30, maxSeconds: 15 * minuteSeconds },
  /** One account from all sources from which it was not recently signed in to. */
  account: { free: 49, firstSeconds: 30, maxSeconds: 15 * minuteSeconds },
  /** All accounts from one source: many people may come from one. */
  source: { free: 19, firstSeconds: 30, maxSeconds: hourSeconds },
} as const satisfies Record<string, Tolerance>;

/** Wrong codes of one account, from all sources: whoever enters one knows the password. */
export const codeTolerance: Tolerance = { free: 4, firstSeconds: 30, maxSeconds: 15 * minuteSeconds };

/** After this time without another wrong password, the counts are reset. */
export const forgottenAfterHours = 24;

/** How long a source stays known after the account was signed in to from it. */
export const knownSourceDays = 90;

/** Returns the wait in seconds after a number of wrong passwords. It doubles with each one. */
export function waitAfter(failures: number, { free, firstSeconds, maxSeconds }: Tolerance): number {
  if (failures <= free) return 0;
  return Math.min(maxSeconds, firstSeconds * 2 ** (failures - free - 1));
}

/** Returns the message about too many wrong passwords, or codes. */
export function tooManyAttempts(seconds: number, what = 'passwords'): string {
  const wait = seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many wrong ${what}. Try again in ${wait}.`;
}

/** Name of the installation's setting by which every account needs a second factor. */
export const secondFactorRequired = 'second_factor_required';
