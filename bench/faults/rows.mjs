import { formatNumber } from '../cost/table.mjs';

export const countHeadings = [
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
];

export const headings = [...countHeadings, 'recovery time'];

/** @param {import('./stage.mjs').Result} result @returns {string[]} */
export function toCells(result) {
  const { recoveryMs } = result;
  return [...toCountCells(result), recoveryMs === undefined ? 'never' : `${(recoveryMs / 1000).toFixed(1)} s`];
}

/** @param {import('./stage.mjs').Result} result @returns {string[]} */
export function toCountCells({ name, counts, findings }) {
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
  return [name, ...[...numbers, changedResponses].map(formatNumber)];
}
