import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  codeExpiry,
  codeLimits,
  createCode,
  hashCode,
  isCodeExpired,
  matchesCode,
  readCode,
} from '../../../src/challenges/rules/codes.js';

const key = Buffer.alloc(32, 7);
const challenge = '01935d3e-7a2b-7000-8000-000000000001';

/** Random source that returns these numbers, one after the other. */
function numbers(...values: number[]) {
  const left = [...values];
  return (size: number) => {
    const value = left.shift();
    if (value === undefined) throw new Error('No more numbers.');
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32BE(value);
    return bytes;
  };
}

describe('a new code', () => {
  test('keeps leading zeros', () => {
    expect(createCode(numbers(0))).toBe('000000');
    expect(createCode(numbers(42))).toBe('000042');
    expect(createCode(numbers(999_999))).toBe('999999');
  });

  test('draws again if a remainder would make some codes more likely', () => {
    expect(createCode(numbers(4_293_999_999))).toBe('999999');
    expect(createCode(numbers(4_294_000_000, 2 ** 32 - 1, 5))).toBe('000005');
  });

  test('has each digit at each place equally often', () => {
    const draws = 20_000;
    const counts = Array.from({ length: 6 }, () => new Array<number>(10).fill(0));
    for (let drawn = 0; drawn < draws; drawn += 1) {
      const code = createCode(randomBytes);
      expect(code).toMatch(/^[0-9]{6}$/);
      counts.forEach((row, place) => {
        const digit = Number(code[place]);
        row[digit] = (row[digit] ?? 0) + 1;
      });
    }
    const expected = draws / 10;
    for (const row of counts) {
      const chiSquare = row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      // 9 degrees of freedom: an even source is above 50 once in ten million times.
      expect(chiSquare).toBeLessThan(50);
    }
  });
});

describe('typed codes', () => {
  test.each(['012345', ' 012345\n', '012 345', '012-345', '012–345', '012\u00a0345'])('reads %j', (text) => {
    expect(readCode(text)).toBe('012345');
  });

  test.each(['', '12345', '1234567', '12 3456', '012  345', '012.345', '01234a', '٠١٢٣٤٥', '012345 012345', '-012345'])(
    'refuses %j',
    (text) => {
      expect(readCode(text)).toBeUndefined();
    },
  );
});

describe('the stored hash', () => {
  const hash = hashCode('012345', challenge, key);

  test('is a keyed hash: HMAC-SHA-256, another for another key, challenge or code', () => {
    // By `openssl dgst -sha256 -mac HMAC`.
    expect(hash.toString('hex')).toBe('1ee48bb796eedea5a9798c626f5d9a0cc203a8e426dea12440cc6017ccb95a3a');
    expect(hashCode('012345', challenge, Buffer.alloc(32, 8))).not.toEqual(hash);
    expect(hashCode('012345', challenge.replace(/1$/, '2'), key)).not.toEqual(hash);
    expect(hashCode('012346', challenge, key)).not.toEqual(hash);
  });

  test('is matched by the code, however it is typed, and by nothing else', () => {
    expect(matchesCode('012345', challenge, key, hash)).toBe(true);
    expect(matchesCode(' 012-345 ', challenge, key, new Uint8Array(hash))).toBe(true);
    expect(matchesCode('012346', challenge, key, hash)).toBe(false);
    expect(matchesCode('', challenge, key, hash)).toBe(false);
    expect(matchesCode('012345', `${challenge}x`, key, hash)).toBe(false);
    expect(matchesCode('012345', challenge, key, hash.subarray(1))).toBe(false);
  });
});

describe('the lifetime of a code', () => {
  const sentAt = new Date('2026-11-20T10:00:00.000Z');
  const expiresAt = codeExpiry(sentAt);

  test('is 10 minutes', () => {
    expect(codeLimits.lifetimeMinutes).toBe(10);
    expect(expiresAt).toEqual(new Date('2026-11-20T10:10:00.000Z'));
  });

  test('ends exactly at that time', () => {
    expect(isCodeExpired(expiresAt, new Date('2026-11-20T10:09:59.999Z'))).toBe(false);
    expect(isCodeExpired(expiresAt, expiresAt)).toBe(true);
  });
});
