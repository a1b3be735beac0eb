import { formatNumber } from '../cost/table.mjs';

export const headings = [
  'fault',
  'requests',
  '2xx',
  'refused clearly',
  'connection broken',
  'other answers',
  'lost',
  'double challenges',
  'double completions',
  'answers repeated',
  'of them changed',
  'answers again after',
];

/** @param {import('./stage.mjs').Result} result @returns {string[]} */
export function toCells({ name, counts, findings, recoveryMs }) {
  const { sent, answered, refused, broken, unclear } = counts;
  const { lost, doubleChallenges, doubleCompletions, repeated, otherAnswers } = findings;
  const numbers = [sent, answered, refused, broken, unclear, lost, doubleChallenges, doubleCompletions, repeated];
  const recovered = recoveryMs === undefined ? 'never' : `${(recoveryMs / 1000).toFixed(1)} s`;
  return [name, ...[...numbers, otherAnswers].map(formatNumber), recovered];
}
