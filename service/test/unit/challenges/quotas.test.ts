import { describe, expect, test } from 'vitest';
import { attemptsRemaining, refusalOfSend, refusalOfTry } from '../../../src/challenges/rules/codes.js';
import { channelsOf, chooseChannel } from '../../../src/resources/challenges/rules/channels.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const after = (seconds: number) => before(-seconds);

describe('trying a code', () => {
  const live = { code_hash: Buffer.of(1), code_expires_at: after(1), code_tries: 0 };

  test.each([
    ['no code was sent', { ...live, code_hash: null }, 'code_not_sent'],
    ['it is live', live, undefined],
    ['four were wrong', { ...live, code_tries: 4 }, undefined],
    ['five were wrong', { ...live, code_tries: 5 }, 'too_many_attempts'],
    ['its time is over', { ...live, code_expires_at: now }, 'code_expired'],
    ['its time is over, and five were wrong', { ...live, code_tries: 5, code_expires_at: now }, 'code_expired'],
  ])('if %s', (_, code, refusal) => {
    expect(refusalOfTry(code, now)).toBe(refusal);
  });

  test('leaves four after the first wrong one, and none after the fifth', () => {
    expect([1, 5, 6].map(attemptsRemaining)).toEqual([4, 0, 0]);
  });
});

describe('sending a code', () => {
  const fresh = { sends: 0, sent_at: null, sending_until: null };

  test('is allowed at first, and again 30 seconds after the last', () => {
    expect(refusalOfSend(fresh, now)).toBeUndefined();
    expect(refusalOfSend({ ...fresh, sends: 1, sent_at: before(30) }, now)).toBeUndefined();
  });

  test('waits for 30 seconds to pass', () => {
    const refusal = refusalOfSend({ ...fresh, sends: 1, sent_at: before(29.5) }, now);
    expect(refusal?.retryAfterSeconds).toBe(1);
  });

  test('waits for a send in progress, but not forever', () => {
    expect(refusalOfSend({ ...fresh, sending_until: after(12) }, now)?.retryAfterSeconds).toBe(12);
    expect(refusalOfSend({ ...fresh, sending_until: now }, now)).toBeUndefined();
  });

  test('ends after five, regardless of waiting', () => {
    const refusal = refusalOfSend({ ...fresh, sends: 5, sent_at: before(3600) }, now);
    expect(refusal).toBeDefined();
    expect(refusal?.retryAfterSeconds).toBeUndefined();
  });
});

describe('the channel', () => {
  const both = { email: 'e', phone: 'p' };
  const all = ['text', 'email'] as const;

  test.each([
    [both, all, undefined, 'text'],
    [both, all, 'email', 'email'],
    [{ ...both, phone: null }, all, undefined, 'email'],
    [{ ...both, phone: null }, all, 'text', undefined],
    [{ email: null, phone: null }, all, undefined, undefined],
    [both, ['email'], undefined, 'email'],
    [both, ['email'], 'text', undefined],
    [{ ...both, email: null }, ['email'], undefined, undefined],
    [both, [], undefined, undefined],
  ] as const)('%j, with %j configured, asked for %s: %s', (addresses, configured, asked, channel) => {
    expect(chooseChannel(addresses, new Set(configured), asked)).toBe(channel);
  });

  test('is listed if the user has an address and the service can send', () => {
    expect(channelsOf(both, new Set(all))).toEqual(['text', 'email']);
    expect(channelsOf(both, new Set(['email']))).toEqual(['email']);
    expect(channelsOf(both, new Set())).toEqual([]);
    expect(channelsOf({ email: null, phone: null }, new Set(all))).toEqual([]);
  });
});
