import { describe, expect, test } from 'vitest';
import { acknowledged, advance, keptDays, lastOf, newest, type SavedRecord } from '../../src/storage/record.js';
import { allValues, changing, fingerprint, without } from './fingerprints.js';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 0, 1);
const a = fingerprint();
const b = fingerprint(changing('surface'));
const c = fingerprint(changing('surface', 'screen'));

/** Simulates daily visits, and returns the last fingerprints that `getHash` returns. */
function visit(...currents: readonly string[]): { record: SavedRecord | undefined; lasts: string[] } {
  let record: SavedRecord | undefined;
  const lasts = currents.map((current, day) => {
    const advanced = advance(record, current, now + day * dayMs);
    const last = lastOf(record, advanced);
    record = advanced;
    return last;
  });
  return { record, lasts };
}

describe('visits', () => {
  test('the first has no last fingerprint', () => {
    expect(visit(a)).toEqual({ record: { current: a, savedAt: now }, lasts: [''] });
  });

  test('without a change, the last is the current one', () => {
    expect(visit(a, a, a)).toEqual({ record: { current: a, savedAt: now + 2 * dayMs }, lasts: ['', a, a] });
  });

  test('after one change, the last stays the older one', () => {
    expect(visit(a, b, b, b)).toEqual({
      record: { current: b, savedAt: now + 3 * dayMs, previous: a, changedAt: now + dayMs },
      lasts: ['', a, a, a],
    });
  });

  test('after two changes, the last stays the oldest', () => {
    expect(visit(a, b, c, c)).toEqual({
      record: { current: c, savedAt: now + 3 * dayMs, previous: a, changedAt: now + dayMs },
      lasts: ['', a, a, a],
    });
  });

  test('after a return to the oldest, no change is left to report', () => {
    const { record, lasts } = visit(a, b, a, a);
    expect(record).toEqual({ current: a, savedAt: now + 3 * dayMs });
    expect(lasts.at(-1)).toBe(a);
  });

  test('after changes back and forth, the last stays the oldest', () => {
    expect(visit(a, b, c, b).lasts.at(-1)).toBe(a);
  });

  test('a facet that is unreadable once is not a change, and the more complete fingerprint is kept', () => {
    const poorer = fingerprint(without('gpu', 'fonts'));
    expect(visit(a, poorer)).toEqual({ record: { current: a, savedAt: now + dayMs }, lasts: ['', a] });
    expect(visit(poorer, a).record?.current).toBe(a);
    expect(visit(a, poorer, b).record?.previous).toBe(a);
  });

  test('different integrity is not a change', () => {
    const tampered = fingerprint(allValues, { integrity: 9 });
    expect(visit(a, tampered).record?.previous).toBeUndefined();
  });
});

describe('thirty days', () => {
  const changed = advance(advance(undefined, a, now), b, now);

  test('keep an older fingerprint', () => {
    const record = advance(changed, b, now + keptDays * dayMs - 1);
    expect(record).toMatchObject({ previous: a, changedAt: now });
    expect(lastOf(changed, record)).toBe(a);
  });

  test('then discard it', () => {
    const later = now + keptDays * dayMs;
    const record = advance(changed, b, later);
    expect(record).toEqual({ current: b, savedAt: later });
    expect(lastOf(changed, record)).toBe(b);
  });

  test('leave the newer one after a change at that time', () => {
    const later = now + keptDays * dayMs;
    expect(advance(changed, c, later)).toEqual({ current: c, savedAt: later, previous: b, changedAt: later });
  });

  test('are not extended by visits', () => {
    let record = changed;
    for (let day = 1; day <= keptDays; day++) record = advance(record, b, now + day * dayMs);
    expect(record.previous).toBeUndefined();
  });
});

describe('a response of the service', () => {
  const later = now + dayMs;
  const changed: SavedRecord = { current: b, savedAt: now, previous: a, changedAt: now };

  test('acknowledges the reported change', () => {
    expect(acknowledged(changed, b, a, later)).toEqual({ current: b, savedAt: later });
  });

  test('acknowledges it also if a facet was unreadable', () => {
    const { gpu: _, ...others } = changing('surface');
    const poorer = fingerprint(others);
    expect(acknowledged(changed, poorer, a, later)).toEqual({ current: b, savedAt: later });
    expect(acknowledged({ ...changed, current: poorer }, b, a, later)).toEqual({ current: b, savedAt: later });
  });

  test('leaves a later change to be reported, relative to the sent fingerprint', () => {
    const since = { ...changed, current: c };
    expect(acknowledged(since, b, a, later)).toEqual({ current: c, savedAt: later, previous: b, changedAt: later });
  });

  test.each<[string, SavedRecord, sent: [current: string, last: string]]>([
    ['on a first visit', { current: a, savedAt: now }, [a, '']],
    ['without a change', { current: a, savedAt: now }, [a, a]],
    ['that reported no change, while one occurred', changed, [a, a]],
    ['that reported no change on a first visit, while one occurred', changed, [a, '']],
    ['about another change', changed, [b, c]],
    ['whose pair was unreadable in the changed facet', changed, [fingerprint(without('surface')), a]],
    ['about a change that was undone', { current: a, savedAt: now }, [b, a]],
  ])('changes nothing %s', (_, saved, [current, last]) => {
    expect(acknowledged(saved, current, last, later)).toBe(saved);
  });

  test('creates a newer record, even if the clock stands still or went back', () => {
    expect(acknowledged(changed, b, a, now).savedAt).toBe(now + 1);
    expect(acknowledged(changed, b, a, now - dayMs).savedAt).toBe(now + 1);
  });

  test('for a deleted record stores the sent fingerprint', () => {
    expect(acknowledged(undefined, b, a, later)).toEqual({ current: b, savedAt: later });
  });

  test('restarts the thirty days of a later change', () => {
    const since = acknowledged({ ...changed, current: c }, b, a, later);
    expect(advance(since, c, now + keptDays * dayMs)).toMatchObject({ previous: b });
    expect(advance(since, c, later + keptDays * dayMs).previous).toBeUndefined();
  });
});

test.each([
  ['without a change', a],
  ['after a change', b],
])('advance creates a newer record %s, even if the clock stands still or went back', (_, current) => {
  const saved = { current: a, savedAt: now };
  for (const later of [now, now - dayMs]) {
    const record = advance(saved, current, later);
    // As if a storage that is full kept the old record.
    expect(newest(saved, record)).toEqual(record);
    expect(record).toMatchObject({ current, savedAt: now + 1 });
  }
});

test('advance does not change its argument', () => {
  const saved = Object.freeze({ current: a, savedAt: now });
  expect(() => advance(saved, b, now + 1)).not.toThrow();
});

describe('newest', () => {
  const old: SavedRecord = { current: a, savedAt: now };
  const recent: SavedRecord = { current: b, savedAt: now + 1, previous: a, changedAt: now + 1 };

  test('returns the most recently saved one, at any position', () => {
    expect(newest(old, recent)).toEqual(recent);
    expect(newest(recent, undefined, old)).toEqual(recent);
  });

  test('returns the first of two saved at the same time', () => {
    expect(newest(old, { ...old })).toEqual(old);
  });

  test('is undefined for an empty list', () => {
    expect(newest()).toBeUndefined();
    expect(newest(undefined, undefined)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', a],
    ['a number', 7],
    ['true', true],
    ['a list', [a, now]],
    ['a function', () => old],
    ['an empty object', {}],
    ['no fingerprint', { savedAt: now }],
    ['an empty fingerprint', { current: '', savedAt: now }],
    ['a number for a fingerprint', { current: 1, savedAt: now }],
    ['a list for a fingerprint', { current: [a], savedAt: now }],
    ['no time', { current: a }],
    ['a time that JSON has made null', { current: a, savedAt: null }],
    ['a text for a time', { current: a, savedAt: String(now) }],
    ['a date for a time', { current: a, savedAt: new Date(now) }],
    ['a time that is no number', { current: a, savedAt: Number.NaN }],
    ['a previous one without its time', { current: a, savedAt: now, previous: b }],
    ['a time of change without a previous one', { current: a, savedAt: now, changedAt: now }],
    ['null for a previous one', { current: a, savedAt: now, previous: null, changedAt: now }],
    ['a number for a previous one', { current: a, savedAt: now, previous: 1, changedAt: now }],
    ['an empty previous one', { current: a, savedAt: now, previous: '', changedAt: now }],
    ['a text for the time of change', { current: a, savedAt: now, previous: b, changedAt: 'x' }],
  ])('does not accept %s as a record', (_, value) => {
    expect(newest(value)).toBeUndefined();
    expect(newest(value, old)).toEqual(old);
  });
});
