import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskEmail, maskPhone } from '../../../src/resources/users/rules/mask.js';

describe('maskEmail', () => {
  test.each([
    ['jane@example.com', 'j***@e******.com'],
    ['j@example.com', 'j***@e******.com'],
    ['jonathan.doe+shop@example.com', 'j***@e******.com'],
    ['jane@Example.COM', 'j***@e******.com'],
    ['jane@example.co.uk', 'j***@e******.co.uk'],
    ['jane@mail.shop.example.co.uk', 'j***@m******.co.uk'],
    ['jane@name.github.io', 'j***@n******.io'],
    ['jane@co.uk', 'j***@c******.uk'],
    ['jane@bücher.example', 'j***@b******.example'],
    ['𝒿ane@example.com', '𝒿***@e******.com'],
  ])('masks %s as %s', (email, mask) => {
    expect(maskEmail(email)).toBe(mask);
  });

  const name = fc.stringMatching(/^[a-z0-9][a-z0-9.+_-]{0,20}$/);
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/);

  test('shows only the first letters and the suffix, regardless of the rest', () => {
    const suffix = fc.constantFrom('com', 'co.uk', 'de', 'com.br');
    const domain = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
    fc.assert(
      fc.property(name, domain, suffix, (local, host, end) => {
        // Excludes domains that lengthen the suffix, such as com.br under br.
        fc.pre(!/(^|\.)(com|co|org|net|gov|[a-z]{2,4})$/.test(host));
        expect(maskEmail(`${local}@${host}.${end}`)).toBe(`${local[0]}***@${host[0]}******.${end}`);
      }),
    );
  });

  test('always has the same shape, for any input', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(maskEmail(text)).toMatch(/^.?\*{3}@.?\*{6}\./su);
      }),
    );
  });
});

describe('maskPhone', () => {
  test.each([
    ['+491701234567', '+**********67'],
    ['+15555550123', '+*********23'],
  ])('masks %s as %s', (phone, mask) => {
    expect(maskPhone(phone)).toBe(mask);
  });

  test('shows only two digits, also of a number with spaces', () => {
    const digits = fc.stringMatching(/^\+[0-9]( ?[0-9]){6,14}$/);
    fc.assert(
      fc.property(digits, (phone) => {
        const mask = maskPhone(phone);
        expect(mask.replace(/\D/g, '')).toBe(phone.replace(/\D/g, '').slice(-2));
        expect(mask).toHaveLength(phone.length);
      }),
    );
  });
});
