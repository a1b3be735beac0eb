import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEmail } from '../../../src/resources/users/rules/contacts.js';
import { mailboxOf, mailDomainsOf } from '../../../src/resources/users/rules/mailbox.js';

const normalised = (text: string) => parseEmail(text)?.normalised;

describe('a valid email address', () => {
  test('is kept unchanged, without surrounding spaces', () => {
    expect(parseEmail('  Jane.Doe+shop@Gmail.com\n')).toEqual({
      display: 'Jane.Doe+shop@Gmail.com',
      normalised: 'janedoe@gmail.com',
      domain: 'gmail.com',
    });
  });

  test.each([
    ['nothing', ''],
    ['a name', 'jane'],
    ['no name', '@example.com'],
    ['no domain', 'jane@'],
    ['a domain of one label', 'jane@localhost'],
    ['an address literal', 'jane@[192.0.2.1]'],
    ['a number that becomes an address', 'jane@127.1'],
    ['two addresses', 'jane@example.com,joe@example.com'],
    ['a display name', 'Jane <jane@example.com>'],
    ['a quoted name', '"jane"@example.com'],
    ['two dots', 'jane..doe@example.com'],
    ['a dot at the end', 'jane@example.com.'],
    ['a space inside', 'jane doe@example.com'],
    ['a line end inside', 'jane@example.com\r\nBcc: joe@example.com'],
    ['a space that nobody sees', 'jane\u200bdoe@example.com'],
    ['a mark of direction', 'jane\u202edoe@example.com'],
    ['a percent escape in the domain', 'jane@ex%61mple.com'],
    ['a label too long in ASCII', `jane@${'ü'.repeat(60)}.de`],
    ['more than 254 characters', `jane@${'a.'.repeat(124)}com`],
  ])('rejects %s', (_, text) => {
    expect(parseEmail(text)).toBeUndefined();
  });

  test('parsing never throws, and normalising is idempotent', () => {
    const address = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(
          fc.stringMatching(/^[A-Za-z0-9.+_-]{1,12}$/),
          fc.constantFrom('gmail.com', 'yahoo.com', 'proton.me', 'ya.ru', 'hotmail.com', 'a.fastmail.com', 'b.example'),
        )
        .map(([name, domain]) => `${name}@${domain}`),
    );
    fc.assert(
      fc.property(address, (text) => {
        const email = parseEmail(text);
        if (!email) return;
        const [name = '', domain = ''] = email.normalised.split(/@(?=[^@]*$)/);
        expect(mailboxOf(name, domain)).toEqual({ name, domain });
      }),
      { numRuns: 300 },
    );
  });
});

describe('spellings of one mailbox', () => {
  test.each([
    ['Jane@Example.COM', 'jane@example.com'],
    ['j.a.n.e+x+y@googlemail.com', 'jane@gmail.com'],
    ['jane+x@outlook.com', 'jane@outlook.com'],
    ['jane+x@hotmail.com', 'jane@hotmail.com'],
    ['jane+x@live.se', 'jane@live.se'],
    ['jane+x@icloud.com', 'jane@icloud.com'],
    ['jane+x@mac.com', 'jane@mac.com'],
    ['jane+x@fastmail.com', 'jane@fastmail.com'],
    ['shop@jane.fastmail.com', 'jane@fastmail.com'],
    ['J_a-n.e+x@protonmail.com', 'jane@protonmail.com'],
    ['jane-doe+x@yandex.com', 'jane-doe@yandex.ru'],
    ['jane-shop@yahoo.com', 'jane@yahoo.com'],
    ['jane-shop@yahoo.com.br', 'jane@yahoo.com.br'],
    ['jane+x@posteo.de', 'jane@posteo.de'],
    ['Jane@BÜCHER.example', 'jane@xn--bcher-kva.example'],
    ['JOSE\u0301@example.com', 'jos\u00e9@example.com'],
    ['J\u030ca@example.com', '\u01f0a@example.com'],
  ])('normalises %s to %s', (text, expected) => {
    expect(normalised(text)).toBe(expected);
  });

  test.each([
    ['dots', 'jane.doe@outlook.com'],
    ['tags of unknown providers', 'jane+x@example.com'],
    ['hyphens', 'jane-doe@gmail.com'],
    ['deeper subdomains of a provider', 'jane@a.b.fastmail.com'],
    ['a domain that only ends like a provider', 'j.ane@notgmail.com'],
  ])('does not change %s', (_, text) => {
    expect(normalised(text)).toBe(text);
  });

  test.each(['+x@gmail.com', '+x@zoho.com', '---@proton.me', '-x@yahoo.com'])(
    'never empties the local part: %s',
    (text) => {
      expect(normalised(text)).toBe(text);
    },
  );

  test('the domain is the one that was entered, in ASCII', () => {
    expect(parseEmail('jane@GoogleMail.com')?.domain).toBe('googlemail.com');
    expect(parseEmail('jane@Bücher.example')?.domain).toBe('xn--bcher-kva.example');
  });

  test('a domain stands for those of its provider that have the same mailboxes', () => {
    expect(mailDomainsOf('googlemail.com')).toEqual(['googlemail.com', 'gmail.com']);
    expect(mailDomainsOf('jane.fastmail.com')).toEqual(['jane.fastmail.com', 'fastmail.com']);
    expect(mailDomainsOf('example.com')).toEqual(['example.com']);
  });
});
