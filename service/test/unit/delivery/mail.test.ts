import { describe, expect, test } from 'vitest';
import { parse } from 'whorl/fingerprint';
import type { CodeMessage } from '../../../src/ground/messages/message.js';
import type { Attempt } from '../../../src/ground/messages/rules/attempt.js';
import { createSender } from '../../../src/ground/messages/sender.js';
import { deviceInfo } from '../../../src/resources/devices/rules/device.js';
import { fingerprintOf } from '../../support/fingerprints.js';
import { failureOf } from './failure.js';
import { mailServer, message, personal, senderTo } from './mail-harness.js';

const attempt: Attempt = {
  device: deviceInfo(parse(fingerprintOf({ seed: 'laptop', descriptor: 'dwc156' }))),
  city: 'Berlin',
  country: 'DE',
  organisation: 'Example <b>Telecom</b>\r\nBcc: x',
  at: new Date('2026-11-23T14:05:00Z'),
};

/** Sends a code and returns the email that the server received. */
async function sent(change: Partial<CodeMessage> = {}) {
  const server = await mailServer();
  await senderTo(`smtp://127.0.0.1:${server.port}`).sendCode({ ...message, ...change });
  const [mail, ...others] = server.received;
  if (!mail || others.length > 0) throw new Error('Not one mail.');
  return mail;
}

/** Returns the text of a page, one line per paragraph. */
function wordsOf(html: string | undefined): string[] {
  const unescaped: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return Array.from(html?.matchAll(/<p[^>]*>(.*?)<\/p>/gs) ?? [], ([, words = '']) =>
    words.replace(/&[^;]+;/g, (entity) => unescaped[entity] ?? entity),
  );
}

describe('an email with a code', () => {
  test('is sent from the configured sender to one address, and suppresses automatic replies', async () => {
    const { from, to, parsed } = await sent();
    expect({ from, to }).toEqual({ from: 'no-reply@shop.example', to: ['jane.doe@example.com'] });
    expect(parsed.from).toMatchObject({ name: 'Shop Accounts', address: 'no-reply@shop.example' });
    expect(parsed.to).toMatchObject([{ address: 'jane.doe@example.com' }]);
    expect(parsed.subject).toBe('Your code for Shop');
    expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  });

  test('explains in English its purpose, how long the code is valid, and what to do if someone else requested it', async () => {
    const { parsed } = await sent();
    expect(parsed.text?.trim().split('\n\n')).toEqual([
      'Your code for Shop is:',
      '012 345',
      'The code is valid for 10 minutes and can be used once.',
      'Enter the code only on the page that asked for it. Shop will never call or write to ask for this code.',
      'If this was not you, someone else may be trying to access your account. Do not share the code, and change your Shop password.',
    ]);
    expect(parsed.html).toContain('<html lang="en"');
  });

  test.each([
    [
      'en',
      /The code is for this attempt\. Device: Chromium, Windows\. Place: Berlin, Germany\. Network: Example <b>Telecom<\/b> Bcc: x\. Time: 14:05 UTC\./,
    ],
    [
      'de',
      /Gerät: Chromium, Windows\. Ort: Berlin, Deutschland\. Netz: Example <b>Telecom<\/b> Bcc: x\. Zeit: 14:05 UTC\./,
    ],
  ])('names device, place, network and time of the attempt, escaped and on one line: %s', async (language, words) => {
    const { parsed } = await sent({ language, attempt });
    expect(parsed.text).toMatch(words);
    expect(wordsOf(parsed.html)).toEqual(parsed.text?.trim().split('\n\n'));
    expect(parsed.html).not.toContain('<b>');
  });

  test.each(['en', 'de'])('ends with the link for somebody who did not ask for the code: %s', async (language) => {
    const disownUrl = `https://id.shop.example/n/${'x'.repeat(59)}`;
    const { parsed } = await sent({ language, disownUrl });
    expect(parsed.text?.trim().endsWith(disownUrl)).toBe(true);
    expect(parsed.html).toContain(`<a href="${disownUrl}"`);
    expect(String(parsed.html).match(/<a /g)).toHaveLength(1);
  });

  test('leaves out what is not known about the attempt', async () => {
    const device = { ...attempt.device, os: 'unknown', browser: 'unknown' } as const;
    const { parsed } = await sent({ attempt: { device, at: attempt.at } });
    expect(parsed.text).toContain('The code is for this attempt. Time: 14:05 UTC.');
  });

  test('has a German version', async () => {
    const { parsed } = await sent({ language: 'de-AT', expiresInMinutes: 1 });
    expect(parsed.subject).toBe('Ihr Code für Shop');
    expect(parsed.text).toContain('Der Code ist 1 Minute gültig und kann einmal verwendet werden.');
    expect(parsed.html).toContain('<html lang="de"');
  });

  test.each(['fr', '', 'zz_ZZ', 'DEU'])('is in English for the language %j', async (language) => {
    expect((await sent({ language })).parsed.subject).toBe('Your code for Shop');
  });

  test.each(['en', 'de'])('has the same text in both bodies: %s', async (language) => {
    const { parsed } = await sent({ language, project: { name: 'Tom & Jane\'s <b>"Shop"</b>' } });
    expect(wordsOf(parsed.html)).toEqual(parsed.text?.trim().split('\n\n'));
    expect(wordsOf(parsed.html)).toHaveLength(5);
  });

  test('has no links, images or scripts, and loads nothing', async () => {
    const { parsed } = await sent();
    expect(`${parsed.html}${parsed.text}`).not.toMatch(/https?:|href|src=|url\(|<a\b|<img|<script|@import/i);
    expect(parsed.attachments).toEqual([]);
  });

  test('supports light and dark mode', async () => {
    const { parsed } = await sent();
    expect(parsed.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(parsed.html).toContain('prefers-color-scheme:dark');
  });

  test("escapes the project's name", async () => {
    const { parsed } = await sent({ project: { name: `<img src=x onerror="alert('1')">` } });
    expect(parsed.html).not.toContain('<img');
    expect(parsed.html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;');
    expect(parsed.text).toContain(`<img src=x onerror="alert('1')">`);
  });

  test.each([
    ['a line end', 'Shop\r\nBcc: joe@evil.example\r\n\r\nHello'],
    ['a bare line feed', 'Shop\nBcc: joe@evil.example'],
    ['a bare carriage return', 'Shop\rBcc: joe@evil.example'],
    ['a line separator', 'Shop\u2028Bcc: joe@evil.example'],
  ])("allows no header injection by %s in the project's name", async (_, name) => {
    const { parsed, to } = await sent({ project: { name } });
    expect(to).toEqual(['jane.doe@example.com']);
    expect(parsed.bcc).toBeUndefined();
    expect(parsed.subject).toMatch(/^Your code for Shop Bcc: joe@evil\.example/);
    expect(parsed.text?.startsWith('Your code for Shop Bcc: joe@evil.example')).toBe(true);
  });

  test('shortens a long name at a character boundary, and removes direction marks', async () => {
    const { parsed } = await sent({ project: { name: `\u202e${'👩‍👩‍👧'.repeat(200)}` } });
    expect(parsed.subject).toBe(`Your code for ${'👩‍👩‍👧'.repeat(79)}…`);
  });

  test('is delivered to an internationalised address', async () => {
    // The server decodes the domain, which is sent in ASCII.
    const { to } = await sent({ to: 'jänë@bücher.example' });
    expect(to).toEqual(['jänë@bücher.example']);
  });

  test.each(['jane@example.com, joe@evil.example', 'jane@example.com\r\nRCPT TO:<joe@evil.example>'])(
    'goes to no second address: %j',
    async (to) => {
      const server = await mailServer();
      const sending = senderTo(`smtp://127.0.0.1:${server.port}`).sendCode({ ...message, to });
      expect(await failureOf(sending, [...personal, 'joe'])).toMatchObject({ failure: 'recipient' });
      expect(server.received).toEqual([]);
    },
  );
});

describe('an email to an administrator', () => {
  test('arrives unchanged', async () => {
    const server = await mailServer();
    const mail = { to: 'admin@shop.example', subject: 'Käse', text: 'Text', html: '<p>HTML</p>' };
    await senderTo(`smtp://127.0.0.1:${server.port}`).sendMail(mail);
    expect(server.received).toMatchObject([
      { to: ['admin@shop.example'], parsed: { subject: 'Käse', text: 'Text\n', html: '<p>HTML</p>\n' } },
    ]);
  });
});

describe('the connection', () => {
  test('is reused', async () => {
    const server = await mailServer();
    const sender = senderTo(`smtp://127.0.0.1:${server.port}`);
    for (let mail = 0; mail < 3; mail += 1) await sender.sendCode(message);
    expect(server.received).toHaveLength(3);
    expect(server.connections()).toBe(1);
  });

  test('authenticates with the credentials of the URL', async () => {
    const seen: unknown[] = [];
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push({ username, password });
        done(null, { user: username });
      },
    });
    await senderTo(`smtp://user%40shop:p%3Ass@127.0.0.1:${server.port}`).sendCode(message);
    expect(seen).toEqual([{ username: 'user@shop', password: 'p:ss' }]);
    expect(server.received).toHaveLength(1);
  });

  test('uses implicit TLS with smtps, and verifies the certificate', async () => {
    // The server's certificate is self-signed.
    const server = await mailServer({ secure: true });
    const url = `smtps://127.0.0.1:${server.port}`;
    expect(await failureOf(senderTo(url).sendCode(message), personal)).toMatchObject({ failure: 'unreachable' });
    expect(server.received).toEqual([]);

    await senderTo(`${url}?tls.rejectUnauthorized=false`).sendCode(message);
    expect(server.received).toHaveLength(1);
  });

  test('sends nothing unencrypted with requireTLS', async () => {
    const server = await mailServer();
    const sending = senderTo(`smtp://127.0.0.1:${server.port}?requireTLS=true`).sendCode(message);
    expect(await failureOf(sending, personal)).toMatchObject({ channel: 'email' });
    expect(server.received).toEqual([]);
  });

  test.each(['http://127.0.0.1', 'smtp', 'smtps://user:secret@[', ''])(
    'is refused at the start with a wrong address, which is not repeated: %j',
    (url) => {
      expect(() => createSender({ mail: { url, from: 'a@b.example' } })).toThrow(
        new RangeError('The URL of the mail server must begin with smtp:// or smtps://.'),
      );
    },
  );
});
