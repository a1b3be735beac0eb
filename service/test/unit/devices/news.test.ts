import { describe, expect, test } from 'vitest';
import { newsOf, type WatchedDevice } from '../../../src/resources/devices/rules/news.js';

const issuedAt = new Date('2026-11-21T09:30:00Z');
const page = { device: 'd', issuedAt };
const attached: WatchedDevice = {
  status: 'attached',
  ended_at: null,
  end_cause: null,
  user_status: 'active',
  challenges: [],
};
const ended = (ms: number, more: Partial<WatchedDevice> = {}): WatchedDevice => ({
  ...attached,
  status: 'detached',
  ended_at: new Date(issuedAt.getTime() + ms),
  end_cause: 'kick',
  ...more,
});

describe('the end of a device', () => {
  test.each<[string, WatchedDevice | undefined, string | undefined]>([
    ['attached', attached, undefined],
    ['detached after the token', ended(5000), 'kick'],
    ['detached in the second of the token', ended(300), 'kick'],
    ['detached before, and waiting for its challenge', ended(-1, { status: 'pending' }), undefined],
    ['detached for idleness before, and waiting for its challenge', ended(-1, { end_cause: 'auto_detach' }), undefined],
    ['detached after the token, and back', ended(5000, { status: 'attached' }), 'kick'],
    ['detached in the second of the token, and back', ended(300, { status: 'attached' }), undefined],
    ['blocked before the token', ended(-5000, { status: 'blocked', end_cause: 'block' }), 'block'],
    ['blocked after it was kicked', ended(5000, { status: 'blocked' }), 'block'],
    ['blocked after the token, and back', ended(5000, { status: 'attached', end_cause: 'block' }), 'block'],
    ['of a user suspended before the token', { ...attached, user_status: 'suspended' }, 'suspend'],
    [
      'of a user suspended after the token, and back',
      ended(5000, { status: 'attached', end_cause: 'suspend' }),
      'suspend',
    ],
    [
      'of a user suspended before the token, and back',
      ended(-5000, { status: 'attached', end_cause: 'suspend' }),
      undefined,
    ],
    ['gone', undefined, 'delete'],
  ])('%s', (_what, state, cause) => {
    const news = newsOf(state, page);
    expect(news.map(({ type, data }) => [type, 'cause' in data && data.cause])).toEqual(
      cause ? [['detached', cause]] : [],
    );
  });

  test('is sent with its time, instead of challenges', () => {
    expect(newsOf(ended(5000, { challenges: ['a'] }), page)).toEqual([
      {
        id: 'detached',
        type: 'detached',
        data: { device_id: 'd', cause: 'kick', detached_at: '2026-11-21T09:30:05.000Z' },
      },
    ]);
    expect(newsOf(undefined, page)[0]?.data).toEqual({ device_id: 'd', cause: 'delete' });
  });
});

test('challenges are sent after the last known one', () => {
  const state = { ...attached, challenges: ['a', 'b', 'c'] };
  const idsAfter = (after?: string) => newsOf(state, page, after).map(({ id }) => id);
  expect(idsAfter()).toEqual(['a', 'b', 'c']);
  expect(idsAfter('b')).toEqual(['c']);
  expect(newsOf(state, page, 'b')[0]).toEqual({
    id: 'c',
    type: 'challenge',
    data: { device_id: 'd', challenge_id: 'c' },
  });
});
