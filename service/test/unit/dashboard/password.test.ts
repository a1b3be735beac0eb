import { describe, expect, test } from 'vitest';
import { passwordProblem } from '../../../src/resources/admins/rules.js';

describe('a new password', () => {
  test.each([
    'correct horse battery staple',
    'J4fS<2kd9!qq',
    'another-strong-passphrase',
    '四つの珍しい言葉を並べる例文',
  ])('can be %j', async (password) => {
    expect(await passwordProblem(password, 'ada@example.com')).toBeUndefined();
  });

  test.each([
    // Counted in characters as users see them.
    ['🔑'.repeat(11), /^The password must have at least 12 characters\. This one has 11\.$/],
    ['x'.repeat(1001), /^The password can have at most 1,000 characters\.$/],
    ['password1234', /similar to a commonly used password.* Add more words/],
    ['qwertyuiop[]', /easy to guess\./],
    ['abcdefghijklmnop', /Common character sequences like "abc".* Avoid common character sequences/],
    ['letmeinletmein', /Repeated character patterns.* Avoid repeated words/],
    ['ada.lovelace@example.com', /There should not be any personal/],
    ['a third horse', /common words or patterns.* Add more words/],
  ])('cannot be %j, with the reason and a solution in the message', async (password, text) => {
    expect(await passwordProblem(password, 'ada.lovelace@example.com')).toMatch(text);
  });

  test('may be long, as long as checking it stays fast', async () => {
    expect(await passwordProblem('x'.repeat(1000), undefined)).toMatch(/Repeated characters/);
  });
});
