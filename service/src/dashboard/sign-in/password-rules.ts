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
