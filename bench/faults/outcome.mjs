/** Returns what was violated, one sentence each. @param {import('./stage.mjs').Result} result */
export function brokenOf({ name, broken, recoveryMs }) {
  const never = recoveryMs === undefined ? ['Not every process recovered'] : [];
  return [...never, ...broken].map((each) => `${name}: ${each}`);
}

/** Returns whether nothing was lost, duplicated or unexpected. @param {import('./stage.mjs').Result} result */
export function isClean({ counts, findings, expiresResponses }) {
  const { lost, doubleChallenges, doubleCompletions, changedResponses } = findings;
  const wrong = counts.unexpected + lost + doubleChallenges + doubleCompletions;
  return wrong === 0 && (expiresResponses || changedResponses === 0);
}
