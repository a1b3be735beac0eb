import { describe, expect, test } from 'vitest';
import { parsePhone } from '../../../src/resources/users/rules/contacts.js';

describe('parsePhone', () => {
  test.each([
    ['+491701234567', '+491701234567'],
    [' +49 170 / 123-45.67 ', '+491701234567'],
    ['0049 170 1234567', '+491701234567'],
    ['+49 (0)170 1234567', '+491701234567'],
    ['+44 07911 123456', '+447911123456'],
    ['+1 (213) 373-4253 ext. 5', '+12133734253'],
    ['+1 555 555 0123', '+15555550123'],
    ['+39 06 1234567', '+39061234567'],
    ['+４９１７０１２３４５６７', '+491701234567'],
  ])('normalises %s to %s', (text, expected) => {
    expect(parsePhone(text)).toBe(expected);
  });

  test.each([
    ['nothing', ''],
    ['a national number', '0170 1234567'],
    ['a number without a plus', '491701234567'],
    ['a country that is not', '+999 123456789'],
    ['too few digits', '+49 1'],
    ['too many digits', '+49 170 12345678901234'],
    ['a sentence', 'call +491701234567'],
    ['two numbers', '+491701234567, +491701234568'],
    ['letters', '+1-800-FLOWERS'],
  ])('rejects %s', (_, text) => {
    expect(parsePhone(text)).toBeUndefined();
  });

  test.each([
    ['DE', '0170 1234567', '+491701234567'],
    ['DE', '0170/123-45.67', '+491701234567'],
    ['US', '(213) 373-4253', '+12133734253'],
    ['IT', '06 1234567', '+39061234567'],
    ['DE', '+1 213 373 4253', '+12133734253'],
    ['US', '0049 170 1234567', '+491701234567'],
  ])('with the default country %s, normalises %s to %s', (country, text, expected) => {
    expect(parsePhone(text, country)).toBe(expected);
  });

  test.each([
    ['DE', '110'],
    ['DE', '12'],
    ['DE', 'call me'],
    ['XX', '0170 1234567'],
    ['de', '0170 1234567'],
  ])('with the default country %s, rejects %s', (country, text) => {
    expect(parsePhone(text, country)).toBeUndefined();
  });
});
