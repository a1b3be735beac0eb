import { describe, expect, test } from 'vitest';
import type { Reading, ReadingContext } from '../../src/collector/result.js';
import { run } from '../../src/collector/run.js';

const context: ReadingContext = {
  pause: async () => undefined,
  nextTask: async () => undefined,
  webgl: () => null,
  worker: () => undefined,
  drawing: () => undefined,
};

/** Returns a reading of whatever value, as something in a page can cause. */
function returning(value: unknown): Reading {
  return Function('value', 'return () => value')(value);
}

// biome-ignore lint/suspicious/noThenProperty: this is a promise of a library.
const thenable = (value: unknown) => ({ then: (resolve: (value: unknown) => void) => resolve(value) });

describe('a reading', () => {
  test.each([
    ['text', ''],
    ['a number', 0],
    ['false', false],
    ['lists', ['a', [1, true], []]],
  ])('of %s is ok, also as a promise of any kind', async (_, value) => {
    for (const returned of [value, Promise.resolve(value), thenable(value)]) {
      expect(await run(returning(returned), context, 60_000)).toMatchObject({ status: 'ok', value });
    }
  });

  test.each([
    ['an object', {}],
    ['null', null],
    ['NaN', Number.NaN],
    ['a function', () => 1],
    ['a list with a hole', [undefined, 1]],
    ['a list with an object', ['a', [{}]]],
    ['a list that contains a promise', [Promise.resolve(1)]],
  ])('of %s is an error, also as a promise of any kind', async (_, value) => {
    for (const returned of [value, Promise.resolve(value), thenable(value)]) {
      const result = await run(returning(returned), context, 60_000);
      expect(result.status).toBe('error');
      expect(result).not.toHaveProperty('value');
    }
  });

  test('of undefined is unsupported, also as a promise of any kind', async () => {
    for (const returned of [undefined, Promise.resolve(), thenable(undefined)]) {
      expect((await run(returning(returned), context, 60_000)).status).toBe('unsupported');
    }
  });

  test.each([
    ['an Error', new Error('No'), 'error'],
    ['null', null, 'error'],
    [
      'an error whose name throws',
      Object.defineProperty(new Error(), 'name', { get: () => Function.call(0, '*')() }),
      'error',
    ],
    ['an object without a text', Object.create(null), 'error'],
    ['a SecurityError', new DOMException('No', 'SecurityError'), 'blocked'],
  ])('that throws %s never rejects', async (_, thrown, status) => {
    const throwing = () => {
      throw thrown;
    };
    expect((await run(throwing, context, 60_000)).status).toBe(status);
    expect((await run(async () => throwing(), context, 60_000)).status).toBe(status);
  });

  test('that never settles ends at the deadline', async () => {
    expect((await run(() => new Promise(() => undefined), context, 1)).status).toBe('timeout');
  });
});
