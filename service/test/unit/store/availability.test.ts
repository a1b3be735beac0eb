import { describe, expect, test } from 'vitest';
import { DatabaseUnavailableError, nameUnavailable } from '../../../src/ground/db/availability.js';

/** Creates an error like those of drivers, with PostgreSQL's SQLSTATE or Node's error code as `code`. */
const thrown = (code: string, message = 'a failure') => Object.assign(new Error(message), { code });

describe('an error of a query', () => {
  test.each([
    ['53100', 'the disk is full'],
    ['53200', 'there is no memory left'],
    ['53300', 'there are too many connections'],
    ['57P01', 'the server is stopped'],
    ['57P02', 'another process of the server crashed'],
    ['57P03', 'the server is starting'],
    ['57014', 'the statement took too long'],
    ['40P01', 'a deadlock'],
    ['25006', 'the server has become a replica that takes no writes'],
    ['58030', 'the disk cannot be read or written'],
    ['08006', 'the connection broke'],
    ['ECONNREFUSED', 'nobody listens'],
  ])('is temporary: %s, %s', (code) => {
    const error = thrown(code);
    const named = nameUnavailable(error);
    expect(named).toBeInstanceOf(DatabaseUnavailableError);
    expect(named).toMatchObject({ cause: error });
  });

  test.each([
    ['23505', 'a key that already exists'],
    ['42P01', 'a table that is not there'],
    ['22P02', 'a value of another form'],
    ['XX000', 'a fault of the server'],
  ])('is not changed: %s, %s', (code) => {
    const error = thrown(code);
    expect(nameUnavailable(error)).toBe(error);
  });
});
