import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type ChallengeOperation,
  type ChallengeState,
  challengeStates,
  isRefusal,
  stateOf,
} from '../../../src/resources/challenges/rules/states.js';

const states = Object.keys(challengeStates) as ChallengeState[];
const operations = Object.keys(challengeStates.unsent) as ChallengeOperation[];
const outcomes = (operation: ChallengeOperation) => states.map((state) => challengeStates[state][operation]);

const now = new Date('2026-03-01T12:00:00.000Z');
const later = new Date('2026-03-01T12:00:00.001Z');
const open = { status: 'pending', expires_at: later, sent_at: null, verified_at: null } as const;

describe('the table of states', () => {
  test('refuses correct and wrong codes in the same states', () => {
    const refusals = (operation: ChallengeOperation) => outcomes(operation).filter(isRefusal);
    expect(refusals('verify_right')).toEqual(refusals('verify_wrong'));
    expect(outcomes('verify_right').map(isRefusal)).toEqual(outcomes('verify_wrong').map(isRefusal));
  });

  test('verifies only by a correct code', () => {
    for (const operation of operations) {
      const leadsThere = states
        .filter((state) => state !== 'verified')
        .map((state) => challengeStates[state][operation]);
      expect(leadsThere.includes('verified'), operation).toBe(operation === 'verify_right');
    }
  });

  test('allows kicks exactly where it allows completion', () => {
    expect(outcomes('kick').map(isRefusal)).toEqual(outcomes('complete').map(isRefusal));
  });

  test.each(['skipped', 'expired'] as const)('rejects send, verify, complete and kick once %s', (state) => {
    for (const operation of ['send', 'verify_right', 'verify_wrong', 'complete', 'kick'] as const) {
      expect(challengeStates[state][operation], operation).toBe('challenge_closed');
    }
  });

  test.each(['completed', 'skipped', 'expired'] as const)('never leaves %s', (state) => {
    const next = Object.values(challengeStates[state]).filter((outcome) => !isRefusal(outcome));
    expect(new Set(next)).toEqual(new Set([state]));
  });
});

describe('the status of a challenge', () => {
  test.each([
    ['unsent', open],
    ['sent', { ...open, sent_at: now }],
    ['verified', { ...open, sent_at: now, verified_at: now }],
    ['completed', { ...open, status: 'completed' }],
    ['skipped', { ...open, status: 'skipped' }],
    ['expired', { ...open, status: 'expired' }],
  ] as const)('%s', (state, challenge) => {
    expect(stateOf(challenge, now)).toBe(state);
  });

  test('is expired exactly at its expiry, before the status is updated', () => {
    expect(stateOf({ ...open, sent_at: now, verified_at: now, expires_at: now }, now)).toBe('expired');
  });

  test('is not expired if it was closed in time', () => {
    expect(stateOf({ ...open, status: 'completed', expires_at: now }, later)).toBe('completed');
  });
});

describe('docs/challenges.md', () => {
  const text = readFileSync(new URL('../../../../docs/challenges.md', import.meta.url), 'utf8');

  test('draws exactly the changes of state', () => {
    const drawn = [...text.matchAll(/^ *(\w+) --> (\w+): (.+)$/gm)].flatMap(([, from, to, by = '']) =>
      by.split(', ').map((operation) => `${from} ${operation} ${to}`),
    );
    const changes = states.flatMap((from) =>
      operations.flatMap((operation) => {
        const to = challengeStates[from][operation];
        return isRefusal(to) || to === from ? [] : [`${from} ${operation} ${to}`];
      }),
    );
    expect(drawn.sort()).toEqual(changes.sort());
  });

  test('tabulates every outcome', () => {
    const rows = [...text.matchAll(/^\| `(\w+)` \|(.+)\|$/gm)].filter(([, name = '']) => name in challengeStates);
    const tabulated = Object.fromEntries(
      rows.map(([, state, cells = '']) => [state, cells.split('|').map((cell) => cell.trim().replaceAll('`', ''))]),
    );
    const expected = Object.fromEntries(
      states.map((state) => [state, operations.map((operation) => challengeStates[state][operation])]),
    );
    expect(tabulated).toEqual(expected);
  });
});
