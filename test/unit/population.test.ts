import { expect, test } from 'vitest';
import { ruleBased } from '../../bench/identity/population/peers.mjs';
import { trackedTime } from '../../bench/identity/population/tracking.mjs';
import { equalErrorRate, sortScores } from '../../service/src/testing.js';

/** Returns the tracked time of visits, given as `[day, device, identity]`. */
function track(...visits: readonly (readonly [number, number, number])[]) {
  const column = (at: 0 | 1 | 2) => visits.map((visit) => visit[at]);
  const count = Math.max(...column(1)) + 1;
  return trackedTime({
    days: column(0),
    devices: column(1),
    identities: column(2),
    length: visits.length,
    count,
  });
}

test('an identity kept for ten days is ten days of tracking', () => {
  expect(track([0, 0, 7], [4, 0, 7], [10, 0, 7])).toEqual({
    meanDays: 10,
    longestDays: 10,
    identitiesPerDevice: 1,
    visitsToAnother: 0,
    devicesToAnother: 0,
    devices: 1,
  });
});

test('an identity that changes half-way is two shorter chains', () => {
  const { meanDays, longestDays, identitiesPerDevice } = track([0, 0, 1], [4, 0, 1], [5, 0, 2], [11, 0, 2]);
  expect({ meanDays, longestDays, identitiesPerDevice }).toEqual({
    meanDays: 5,
    longestDays: 6,
    identitiesPerDevice: 2,
  });
});

test('one identity for all devices tracks only one of them', () => {
  const { meanDays, visitsToAnother, ...counts } = track([0, 0, 1], [0, 1, 1], [10, 0, 1], [10, 1, 1], [20, 0, 1]);
  expect(meanDays).toBe(10);
  expect(counts).toMatchObject({ devicesToAnother: 1, devices: 2 });
  expect(visitsToAnother).toBeCloseTo(2 / 5);
});

test('the equal error rate of scores that overlap in a quarter is 25%', () => {
  expect(equalErrorRate(sortScores([1, 5, 6, 7], [0, 2, 3, 5.5])).rate).toBeCloseTo(0.25);
  expect(equalErrorRate(sortScores([5, 6], [1, 2])).rate).toBe(0);
});

const raw = {
  id: 1,
  constant: 'w c c',
  version: 100,
  canvas: 'a',
  doNotTrack: '',
  userAgent: 'Chrome 100',
  renderer: 'ANGLE (Intel, Intel(R) UHD Graphics 620 Direct3D11)',
  driver: 0,
  plugins: 'PDF Viewer',
  language: 'en',
  resolution: '1920x1080',
  timezone: 'Rome',
};

/** Links two fingerprints, and returns whether they got the same identity. */
function links(changed: Partial<typeof raw>, options?: { canvasMayUpdate?: boolean }, day = 1) {
  const link = ruleBased(options);
  const first = link({ raw: { ...raw } }, 0);
  return link({ raw: { ...raw, id: 2, ...changed } }, day) === first;
}

test.each<[string, Partial<typeof raw>, boolean]>([
  ['a newer version', { version: 101, userAgent: 'Chrome 101' }, true],
  ['an older version', { version: 99, userAgent: 'Chrome 99' }, false],
  ['another canvas', { canvas: 'b' }, false],
  ['another canvas with a newer version', { canvas: 'b', version: 101, userAgent: 'Chrome 101' }, false],
  ['another time zone', { timezone: 'Oslo' }, true],
  ['another time zone and resolution', { timezone: 'Oslo', resolution: '800x600' }, false],
  ['two that may change', { language: 'it', driver: 1 }, true],
  ['three that may change', { language: 'it', driver: 1, version: 101, userAgent: 'Chrome 101' }, false],
  ['a renderer that is not alike', { renderer: 'Mali-G52' }, false],
  ['another system', { constant: 'm c c' }, false],
])("FP-Stalker's rules, %s: %j", (_, changed, linked) => {
  expect(links(changed)).toBe(linked);
});

test('the lenient form allows a changed canvas only with a new version', () => {
  const newer = { canvas: 'b', version: 101, userAgent: 'Chrome 101' };
  expect(links(newer, { canvasMayUpdate: true })).toBe(true);
  expect(links({ canvas: 'b' }, { canvasMayUpdate: true })).toBe(false);
});

test('a device unseen for over 30 days is forgotten', () => {
  expect(links({ timezone: 'Oslo' }, {}, 30)).toBe(true);
  expect(links({ timezone: 'Oslo' }, {}, 35)).toBe(false);
});

test('neither of two matching devices is chosen', () => {
  const link = ruleBased();
  const identities = [
    link({ raw }, 0),
    link({ raw: { ...raw, id: 2, timezone: 'Oslo', resolution: '800x600' } }, 0),
    link({ raw: { ...raw, id: 3, timezone: 'Oslo' } }, 0),
  ];
  expect(new Set(identities).size).toBe(3);
});
