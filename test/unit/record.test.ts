import { describe, expect, test } from 'vitest';
import { advance, keptDays, lastOf, newest, type SavedRecord, settle } from '../../src/storage/record.js';
import { allValues, changing, fingerprint, without } from './fingerprints.js';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 0, 1);
const a = fingerprint();
const b = fingerprint(changing('surface'));
const c = fingerprint(changing('surface', 'screen'));

/** Visits one after the other, each a day after the one before, and what `getHash` gives as the last fingerprint. */
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

  test('unchanged, the last is the current one', () => {
    expect(visit(a, a, a)).toEqual({ record: { current: a, savedAt: now + 2 * dayMs }, lasts: ['', a, a] });
  });

  test('changed once, the last stays the older one', () => {
    expect(visit(a, b, b, b)).toEqual({
      record: { current: b, savedAt: now + 3 * dayMs, previous: a, changedAt: now + dayMs },
      lasts: ['', a, a, a],
    });
  });

  test('changed twice, the last stays the oldest', () => {
    expect(visit(a, b, c, c)).toEqual({
      record: { current: c, savedAt: now + 3 * dayMs, previous: a, changedAt: now + dayMs },
      lasts: ['', a, a, a],
    });
  });

  test('back to the oldest, there is no change left to tell', () => {
    const { record, lasts } = visit(a, b, a, a);
    expect(record).toEqual({ current: a, savedAt: now + 3 * dayMs });
    expect(lasts.at(-1)).toBe(a);
  });

  test('changed there and back between others, the oldest stays', () => {
    expect(visit(a, b, c, b).lasts.at(-1)).toBe(a);
  });

  test('what is unreadable for once is no change, and the richer fingerprint is kept', () => {
    const poorer = fingerprint(without('gpu', 'fonts'));
    expect(visit(a, poorer)).toEqual({ record: { current: a, savedAt: now + dayMs }, lasts: ['', a] });
    expect(visit(poorer, a).record?.current).toBe(a);
    expect(visit(a, poorer, b).record?.previous).toBe(a);
  });

  test('other integrity is no change', () => {
    const tampered = fingerprint(allValues, { integrity: 9 });
    expect(visit(a, tampered).record?.previous).toBeUndefined();
  });
});

describe('thirty days', () => {
  const changed = advance(advance(undefined, a, now), b, now);

  test('an older fingerprint is kept until then', () => {
    const record = advance(changed, b, now + keptDays * dayMs - 1);
    expect(record).toMatchObject({ previous: a, changedAt: now });
    expect(lastOf(changed, record)).toBe(a);
  });

  test('and forgotten from there on', () => {
    const later = now + keptDays * dayMs;
    const record = advance(changed, b, later);
    expect(record).toEqual({ current: b, savedAt: later });
    expect(lastOf(changed, record)).toBe(b);
  });

  test('a change at that time leaves the newer one behind', () => {
    const later = now + keptDays * dayMs;
    expect(advance(changed, c, later)).toEqual({ current: c, savedAt: later, previous: b, changedAt: later });
  });

  test('visits in between do not make them longer', () => {
    let record = changed;
    for (let day = 1; day <= keptDays; day++) record = advance(record, b, now + day * dayMs);
    expect(record.previous).toBeUndefined();
  });
});

describe('an answer of the service', () => {
  const later = now + dayMs;
  const changed: SavedRecord = { current: b, savedAt: now, previous: a, changedAt: now };

  test('ends the change that it was told of', () => {
    expect(settle(changed, b, a, later)).toEqual({ current: b, savedAt: later });
  });

  test('ends it also where something was unreadable when it was told', () => {
    const { gpu: _, ...others } = changing('surface');
    const poorer = fingerprint(others);
    expect(settle(changed, poorer, a, later)).toEqual({ current: b, savedAt: later });
    expect(settle({ ...changed, current: poorer }, b, a, later)).toEqual({ current: b, savedAt: later });
  });

  test('leaves a change since then to be told, from what was sent', () => {
    const since = { ...changed, current: c };
    expect(settle(since, b, a, later)).toEqual({ current: c, savedAt: later, previous: b, changedAt: later });
  });

  test.each<[string, SavedRecord, sent: [current: string, last: string]]>([
    ['on a first visit', { current: a, savedAt: now }, [a, '']],
    ['without a change', { current: a, savedAt: now }, [a, a]],
    ['that was told of no change, while one came', changed, [a, a]],
    ['that was told so on a first visit, while a change came', changed, [a, '']],
    ['about another change', changed, [b, c]],
    ['whose pair was unreadable where it would differ', changed, [fingerprint(without('surface')), a]],
    ['about a change that was undone', { current: a, savedAt: now }, [b, a]],
  ])('changes nothing %s', (_, saved, [current, last]) => {
    expect(settle(saved, current, last, later)).toBe(saved);
  });

  test('makes a newer record than the one before, where the clock stands or went back', () => {
    expect(settle(changed, b, a, now).savedAt).toBe(now + 1);
    expect(settle(changed, b, a, now - dayMs).savedAt).toBe(now + 1);
  });

  test('for a record that is gone leaves what was sent', () => {
    expect(settle(undefined, b, a, later)).toEqual({ current: b, savedAt: later });
  });

  test('starts the thirty days of a later change anew', () => {
    const since = settle({ ...changed, current: c }, b, a, later);
    expect(advance(since, c, now + keptDays * dayMs)).toMatchObject({ previous: b });
    expect(advance(since, c, later + keptDays * dayMs).previous).toBeUndefined();
  });
});

test('advance does not change what it is given', () => {
  const saved = Object.freeze({ current: a, savedAt: now });
  expect(() => advance(saved, b, now + 1)).not.toThrow();
});

describe('newest', () => {
  const old: SavedRecord = { current: a, savedAt: now };
  const recent: SavedRecord = { current: b, savedAt: now + 1, previous: a, changedAt: now + 1 };

  test('takes the one saved last, wherever it stands', () => {
    expect(newest(old, recent)).toBe(recent);
    expect(newest(recent, undefined, old)).toBe(recent);
  });

  test('takes the first of two saved at the same time', () => {
    expect(newest(old, { ...old })).toBe(old);
  });

  test('of nothing is nothing', () => {
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
  ])('takes %s for no record', (_, value) => {
    expect(newest(value)).toBeUndefined();
    expect(newest(value, old)).toBe(old);
  });
});
