import { describe, expect, test } from 'vitest';
import { nextStep, retryAfterSeconds } from '../../../src/effects/webhooks/rules/next-step.js';

const now = new Date('2026-03-04T05:06:07.000Z');
const minute = 60;
const hour = 3600;

/** Seconds until the next attempt. */
function pauseAfter(attemptsBefore: number, { random = 0, retryAfter }: { random?: number; retryAfter?: string } = {}) {
  const attempted = { status: 503, failure: 'status' as const, ...(retryAfter !== undefined && { retryAfter }) };
  const step = nextStep(attempted, attemptsBefore, { now, random });
  return step.outcome === 'retry' ? (step.at.getTime() - now.getTime()) / 1000 : step.outcome;
}

test('attempts follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then end', () => {
  expect(Array.from({ length: 10 }, (_, attempts) => pauseAfter(attempts))).toEqual([
    5,
    5 * minute,
    30 * minute,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
    'exhausted',
  ]);
});

test('jitter lengthens a pause by at most a fifth', () => {
  expect(pauseAfter(1, { random: 0.5 })).toBe(330);
  expect(pauseAfter(1, { random: 0.999_999 })).toBeLessThan(360);
});

describe('Retry-After', () => {
  test('lengthens a pause, and never shortens it', () => {
    expect(pauseAfter(0, { retryAfter: '120' })).toBe(120);
    expect(pauseAfter(0, { retryAfter: '120', random: 0.5 })).toBe(132);
    expect(pauseAfter(1, { retryAfter: '1' })).toBe(300);
  });

  test('adds no attempt after the last', () => expect(pauseAfter(9, { retryAfter: '120' })).toBe('exhausted'));

  test.each([
    ['120', 120],
    ['0', 0],
    ['Wed, 04 Mar 2026 05:07:07 GMT', 60],
    ['Wed, 04 Mar 2026 05:00:00 GMT', 0],
    ['99999999999999', 24 * hour],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * hour],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
  ])('%j is %s', (text, seconds) => expect(retryAfterSeconds(text, now)).toBe(seconds));
});

test('an accepted event is delivered, also on the last attempt', () => {
  expect(nextStep({ status: 204 }, 9, { now, random: 0 })).toEqual({ outcome: 'delivered' });
});

test('410 ends the delivery, also on the first attempt', () => {
  expect(nextStep({ status: 410, failure: 'status' }, 0, { now, random: 0 })).toEqual({ outcome: 'gone' });
});

test.each(['address', 'dns', 'connection', 'tls', 'timeout', 'status', 'redirect'] as const)(
  '%s is tried again',
  (failure) => expect(nextStep({ failure }, 0, { now, random: 0 })).toMatchObject({ outcome: 'retry' }),
);
