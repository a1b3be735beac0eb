import { expect } from 'vitest';

/** Writes to the console of a page, and throws in two ways. */
export function logAndThrow(): void {
  console.log('said', 1);
  console.warn('warned');
  setTimeout(() => {
    throw new RangeError('thrown');
  });
  Promise.reject(new TypeError('rejected'));
}

/** The messages of `logAndThrow`. */
export function loggedAndThrown(): unknown[] {
  return [
    { kind: 'log', text: 'said 1' },
    { kind: 'warning', text: 'warned' },
    { kind: 'uncaught', text: expect.stringContaining('RangeError: thrown') },
    { kind: 'uncaught', text: expect.stringContaining('TypeError: rejected') },
  ];
}
