import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/server/log.js';

/** Returns the output of a log call. */
function lines(act: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  act(
    createLog('info', {
      write(line) {
        text += line;
      },
    }),
  );
  return text;
}

describe('the log', () => {
  test('is JSON lines with a time and a level by name', () => {
    const written = lines((log) => log.info({ status: 200 }, 'answered'));
    expect(JSON.parse(written)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      status: 200,
      msg: 'answered',
    });
  });

  test('omits lines below its level', () => {
    expect(lines((log) => log.debug('detail'))).toBe('');
  });

  test('redacts personal data and secrets', () => {
    const person = { email: 'ada@example.com', phone: '+4917', user: 'ada', ip: '203.0.113.9', fingerprint: 'w1.x' };
    const written = lines((log) => log.info({ ...person, body: { ...person, token: 'eyJ' }, code: '012345' }, 'x'));
    for (const value of [...Object.values(person), 'eyJ', '012345']) expect(written).not.toContain(value);
  });

  test('contains the stack of an error, with its causes', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const { error } = JSON.parse(lines((log) => log.error({ error: new TypeError('broken', { cause }) }, 'x')));
    expect(error).toMatchObject({
      name: 'TypeError',
      message: 'broken',
      cause: { message: 'refused', code: 'ECONNREFUSED' },
    });
    expect(error.stack).toContain('log.test.ts');
  });

  test('does not contain values that the database quotes', () => {
    const thrown = Object.assign(new Error('invalid input syntax for type uuid: "ada@example.com"'), {
      code: '22P02',
      detail: 'Key (external_id)=(ada@example.com) already exists.',
      where: "unnamed portal parameter $1 = 'ada@example.com'",
    });
    const written = lines((log) => log.error({ err: new Error('failed', { cause: thrown }) }, 'x'));
    expect(written).not.toContain('ada@example.com');
    expect(written).toContain('22P02');
  });

  test('names a violated constraint without the row', () => {
    const thrown = Object.assign(new Error('duplicate key value violates unique constraint "users_key"'), {
      code: '23505',
      constraint: 'users_key',
      detail: 'Key (external_id)=(ada) already exists.',
    });
    const { err } = JSON.parse(lines((log) => log.error({ err: thrown }, 'x')));
    expect(err).toMatchObject({ code: '23505', constraint: 'users_key' });
    expect(err).not.toHaveProperty('detail');
  });
});
