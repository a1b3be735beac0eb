import { describe, expect, test } from 'vitest';
import { partOf, printPosition, readPosition, start } from '../../../src/ground/db/position-rules.js';

const id = '0195e2c4-7c1a-7b3e-9f00-0123456789ab';

describe('a position in a list', () => {
  test('is parsed as it was formatted', () => {
    const position = { at: new Date('2026-11-21T09:30:00.123Z'), id };
    expect(readPosition(printPosition(position))).toEqual(position);
  });

  test.each([
    null,
    '',
    'x',
    `1.${id}x`,
    `-1.${id}`,
    `1.${id.slice(0, 35)}`,
    `1.${'f'.repeat(36)}`,
    `999999999999999.${id}`,
  ])('is the start of the list if it is %s', (text) => {
    expect(readPosition(text)).toBe(start);
  });
});

describe('a page of a list', () => {
  const positionOf = (at: number) => ({ at: new Date(at), id });

  test('is followed by another if there is one more row', () => {
    expect(partOf([3, 2, 1], positionOf, 2)).toEqual({ rows: [3, 2], next: positionOf(2) });
  });

  test('is the last one if there are no more rows', () => {
    expect(partOf([3, 2], positionOf, 2)).toEqual({ rows: [3, 2], next: undefined });
    expect(partOf([], positionOf, 2)).toEqual({ rows: [], next: undefined });
  });
});
