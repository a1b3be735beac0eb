import { describe, expect, test } from 'vitest';
import { WhorlError } from '../../src/errors.js';
import { type CompareOptions, compare, lowestShare, priors } from '../../src/fingerprint/compare.js';
import { facets } from '../../src/fingerprint/facets.js';
import { weights } from '../../src/fingerprint/weights.js';
import { allValues, changing, fingerprint, namesOf, without } from './fingerprints.js';

const one = fingerprint();
const nothingChanged = { hardware: [], software: [], setting: [] };

describe('the verdict', () => {
  test('two equal fingerprints are the same, with high confidence', () => {
    const { same, confidence, bits, changed } = compare(one, one);
    expect(same).toBe(true);
    expect(confidence).toBeGreaterThan(0.9999);
    expect(bits).toBeGreaterThan(20);
    expect(changed).toEqual(nothingChanged);
  });

  test('equal ones are the same even among all devices of a project', () => {
    expect(compare(one, one, { prior: priors.project }).same).toBe(true);
  });

  test('all hardware different is another device, even with a matching last fingerprint', () => {
    const other = fingerprint(changing(...namesOf('hardware')));
    const { same, changed } = compare(one, other, { prior: priors.userWithLast });
    expect(same).toBe(false);
    expect(changed).toEqual({ ...nothingChanged, hardware: namesOf('hardware') });
  });

  test('all software changed after 60 days is the same', () => {
    const { same, changed } = compare(one, fingerprint(changing(...namesOf('software'))), { elapsedDays: 60 });
    expect(same).toBe(true);
    expect(changed).toEqual({ ...nothingChanged, software: namesOf('software') });
  });

  test('all settings changed is the same with a matching last fingerprint', () => {
    const other = fingerprint(changing(...namesOf('setting')));
    const { same, changed } = compare(one, other, { prior: priors.userWithLast });
    expect(same).toBe(true);
    expect(compare(one, other, { prior: priors.project }).same).toBe(false);
    expect(changed).toEqual({ ...nothingChanged, setting: namesOf('setting') });
  });

  test('everything different is another device', () => {
    const { same, confidence } = compare(one, fingerprint(changing(...facets.map(({ name }) => name))));
    expect(same).toBe(false);
    expect(confidence).toBeLessThan(0.0001);
  });

  test('two unreadable fingerprints have the confidence of the prior', () => {
    const blank = fingerprint({});
    expect(compare(blank, blank)).toEqual({ same: true, confidence: 0.5, bits: 0, changed: nothingChanged });
    expect(compare(blank, one, { prior: 3 }).confidence).toBeCloseTo(0.75, 10);
  });
});

describe('the evidence', () => {
  test.each(facets.map(({ name }) => name))(
    '%s speaks for one device when it agrees, and against when it differs',
    (name) => {
      const bits = compare(one, one).bits;
      const unread = compare(one, fingerprint(without(name))).bits;
      expect(unread).toBeLessThan(bits);
      expect(compare(one, fingerprint(changing(name))).bits).toBeLessThan(unread);
    },
  );

  test.each(facets.map(({ name }) => name))('%s adds nothing if it is unreadable on one side', (name) => {
    const unread = fingerprint(without(name));
    const onOneSide = compare(one, unread);
    expect(onOneSide.bits).toBeCloseTo(compare(unread, unread).bits, 10);
    expect(compare(unread, one).bits).toBeCloseTo(onOneSide.bits, 10);
    expect(compare(fingerprint(changing(name)), unread).bits).toBeCloseTo(onOneSide.bits, 10);
    expect(onOneSide.changed).toEqual(nothingChanged);
  });

  test('integrity is ignored', () => {
    const tampered = fingerprint(allValues, { integrity: 0xffffff });
    expect(compare(one, tampered)).toEqual(compare(one, one));
  });

  test('the descriptor is ignored, because facets contain its information', () => {
    expect(compare(one, fingerprint(allValues, { descriptor: 'dlc152' }))).toEqual(compare(one, one));
  });

  test('the order does not matter', () => {
    const other = fingerprint({ ...without('memory'), gpu: 'other', surface: 'other', timezone: 'other' });
    const options = { elapsedDays: 20, prior: 7 };
    expect(compare(one, other, options)).toEqual(compare(other, one, options));
  });
});

describe('elapsedDays', () => {
  test.each(facets.map(({ name }) => name))('a difference in %s never becomes stronger evidence with time', (name) => {
    const other = fingerprint(changing(name));
    const penalties = [0, 1, 10, 30, 90, 365, 3650].map(
      (elapsedDays) =>
        compare(one, fingerprint(without(name)), { elapsedDays }).bits - compare(one, other, { elapsedDays }).bits,
    );
    // Different hardware discards the agreement of other facets, which also becomes weaker.
    for (const [at, penalty] of penalties.slice(1).entries())
      expect(penalty).toBeLessThanOrEqual((penalties[at] ?? 0) + 1e-9);
  });

  test('a changed surface becomes weaker evidence with time', () => {
    const updated = fingerprint(changing('surface'));
    const unread = fingerprint(without('surface'));
    const penalty = (elapsedDays: number) =>
      compare(one, unread, { elapsedDays }).bits - compare(one, updated, { elapsedDays }).bits;
    const penalties = [0, 1, 10, 30, 90, 3650].map(penalty);
    expect(penalties).toEqual([...penalties].sort((a, b) => b - a));
    expect(penalties[0]).toBeGreaterThan(0.5);
    expect(Math.min(...penalties)).toBeGreaterThanOrEqual(-1e-9);
  });

  test('agreement becomes weaker evidence with time, but never counter-evidence', () => {
    const bits = [0, 1, 10, 100, 1000, 1e6].map((elapsedDays) => compare(one, one, { elapsedDays }).bits);
    expect(bits).toEqual([...bits].sort((a, b) => b - a));
    expect(bits.at(-1)).toBeGreaterThan(0);
  });
});

describe('prior', () => {
  test('changes only the confidence', () => {
    const other = fingerprint(changing('screen', 'timezone', 'gpu'));
    const results = [1e-9, priors.project, 0.5, priors.user, 2, priors.userWithLast, 1e9].map((prior) =>
      compare(one, other, { prior }),
    );
    const confidences = results.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => a - b));
    expect(new Set(confidences).size).toBe(confidences.length);
    expect(new Set(results.map(({ bits }) => bits)).size).toBe(1);
  });

  test('is 1 by default', () => {
    expect(compare(one, one, { prior: 1 })).toEqual(compare(one, one));
  });
});

describe('different hardware', () => {
  test.each(namesOf('hardware'))('%s alone means another device, even with a matching last fingerprint', (name) => {
    const other = fingerprint(changing(name));
    for (const elapsedDays of [0, 30, 365, 3650])
      expect(compare(one, other, { elapsedDays, prior: priors.userWithLast }).same).toBe(false);
  });

  test('is not outweighed by other agreement', () => {
    const nothingElse = Object.fromEntries(namesOf('hardware').map((name) => [name, allValues[name]]));
    const bits = compare(one, fingerprint(changing('gpu'))).bits;
    expect(bits).toBeLessThan(0);
    expect(compare(one, fingerprint({ ...nothingElse, gpu: 'other' })).bits).toBe(bits);
  });
});

describe('shares', () => {
  const bitsWith = (share: number, values = allValues) =>
    compare(one, fingerprint(values), { shares: { gpu: share } }).bits;

  test('a rare value is stronger evidence than a common one', () => {
    const bits = [lowestShare, 0.01, 0.1, 0.5, 1].map((share) => bitsWith(share));
    expect(bits).toEqual([...bits].sort((a, b) => b - a));
    expect(new Set(bits).size).toBe(bits.length);
    expect(bitsWith(0.001) - bitsWith(0.002)).toBeCloseTo(1 * weights.gpu.damping, 1);
  });

  test('a value of all devices is no evidence', () => {
    expect(bitsWith(1)).toBeCloseTo(compare(one, fingerprint(without('gpu'))).bits, 10);
  });

  test('a value of one device in a million counts like one in a thousand', () => {
    expect(bitsWith(1e-6)).toBe(bitsWith(lowestShare));
    expect(bitsWith(0)).toBe(bitsWith(lowestShare));
  });

  test('do not affect a facet that differs', () => {
    const changed = { ...allValues, gpu: 'other' };
    expect(bitsWith(0.5, changed)).toBe(bitsWith(0.01, changed));
  });

  test('the table is used for missing values', () => {
    expect(bitsWith(weights.gpu.u)).toBe(compare(one, one).bits);
  });
});

describe('errors', () => {
  const thrownBy = (action: () => unknown): unknown => {
    try {
      action();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const codeOf = (a: string, b: string, options?: CompareOptions): unknown => {
    const error = thrownBy(() => compare(a, b, options));
    return error instanceof WhorlError ? error.code : error;
  };

  test.each(['', 'words', 'w2.dlc141.AAAA', `${one}.`])('%j is rejected on either side', (text) => {
    expect(codeOf(text, one)).toBe('invalid_fingerprint');
    expect(codeOf(one, text)).toBe('invalid_fingerprint');
  });

  const [version, descriptor, hardware = '', software, setting, integrity] = one.split('.');
  const join = (...parts: (string | undefined)[]) => parts.join('.');
  test.each([
    ['another version', join('w2', ...one.split('.').slice(1)), 'This is a fingerprint of w2 with 7 + 9 + 5 facets.'],
    [
      'a facet less',
      join(version, descriptor, hardware.slice(4), software, setting, integrity),
      'This is a fingerprint of w1 with 6 + 9 + 5 facets.',
    ],
    [
      'a facet more',
      join(version, descriptor, hardware, software, `${setting}AAAA`, integrity),
      'This is a fingerprint of w1 with 7 + 9 + 6 facets.',
    ],
    ['another descriptor', join(version, 'DLC', hardware, software, setting, integrity), 'not a fingerprint in any'],
    ['other words', 'user-7281@example.com', 'not a fingerprint in any format'],
  ])('the message about %s names both formats, and not the value', (_, text, expected) => {
    const error = thrownBy(() => compare(one, text));
    expect(error).toMatchObject({ code: 'invalid_fingerprint', message: expect.stringContaining(expected) });
    expect(error).toHaveProperty('message', expect.stringMatching(/This version reads w1 with 7 \+ 9 \+ 5 facets\.$/));
    expect(String(error)).not.toContain('7281');
  });

  test.each([Number.NaN, -1, -0.001, Infinity])('elapsedDays cannot be %d', (elapsedDays) => {
    expect(codeOf(one, one, { elapsedDays })).toBe('invalid_options');
  });

  test.each([Number.NaN, -1, 0, Infinity])('prior cannot be %d', (prior) => {
    expect(codeOf(one, one, { prior })).toBe('invalid_options');
  });

  test.each([Number.NaN, -0.1, 1.1])('a share cannot be %d', (share) => {
    expect(codeOf(one, one, { shares: { gpu: share } })).toBe('invalid_options');
  });
});
