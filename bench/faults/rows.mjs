import { formatNumber } from '../cost/table.mjs';

export const headings = [
  'fault',
  'requests',
  '2xx',
  'expected errors',
  'connection errors',
  'unexpected responses',
  'lost writes',
  'duplicate challenges',
  'duplicate completions',
  'repeated requests',
  'different responses',
  'recovery time',
];

/** @param {import('./stage.mjs').Result} result @returns {string[]} */
export function toCells({ name, counts, findings, recoveryMs }) {
  const { sent, answered, refused, disconnected, unexpected } = counts;
  const { lost, doubleChallenges, doubleCompletions, repeated, changedResponses } = findings;
  const numbers = [
    sent,
    answered,
    refused,
    disconnected,
    unexpected,
    lost,
    doubleChallenges,
    doubleCompletions,
    repeated,
  ];
  const recovered = recoveryMs === undefined ? 'never' : `${(recoveryMs / 1000).toFixed(1)} s`;
  return [name, ...[...numbers, changedResponses].map(formatNumber), recovered];
}
