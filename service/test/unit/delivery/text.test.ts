import { describe, expect, test } from 'vitest';
import { parse } from 'whorl/fingerprint';
import type { CodeMessage } from '../../../src/ground/messages/message.js';
import type { Attempt } from '../../../src/ground/messages/rules/attempt.js';
import { createSender } from '../../../src/ground/messages/sender.js';
import { deviceInfo } from '../../../src/resources/devices/rules/device.js';
import { fingerprintOf } from '../../support/fingerprints.js';
import { message, plain, server } from './text-harness.js';

/** Sends a code and returns the text that the provider received. */
async function sent(change: Partial<CodeMessage>): Promise<string> {
  const { url, requests } = await server(() => [204, '']);
  await createSender({ text: plain(url) }).sendCode({ ...message, ...change });
  return JSON.parse(requests[0]?.body ?? '').body;
}

const attempt: Attempt = {
  device: deviceInfo(parse(fingerprintOf({ seed: 'laptop', descriptor: 'dwc156' }))),
  city: 'Berlin',
  country: 'DE',
  organisation: 'Example Telecom',
  at: new Date('2026-11-23T14:05:00Z'),
};
const disownUrl = `https://id.shop.example/n/${'x'.repeat(59)}`;

/** The number of characters that a provider charges for; more than 160 septets or 70 characters are several messages. */
function isOneMessage(text: string): boolean {
  const isBasic = /^[\n -~£¥§¿èéùìòÇØøÅåÆæßÉÄÖÑÜäöñüà]*$/.test(text) && !/[`]/.test(text);
  return text.length + (text.match(/[\^{}\\[~\]|]/g)?.length ?? 0) <= (isBasic ? 160 : 70);
}

describe('the text of a message', () => {
  const english = '012345 is your code for Shop. Do not share it. Not you? Do not enter it. Change your password.';

  test('says what the code is for and what to do with it', async () => {
    expect(await sent({})).toBe(english);
    expect(await sent({ language: 'de' })).toBe(
      '012345 ist Ihr Code für Shop. Geben Sie ihn nicht weiter. Nicht Sie? Nicht eingeben. Ändern Sie Ihr Passwort.',
    );
  });

  test.each([
    [
      'en',
      '012345 is your code for Shop. Attempt: Chromium, Windows, Berlin, Germany, Example Telecom, 14:05 UTC. Do not share it. Not you? Do not enter it.',
    ],
    [
      'de',
      '012345 ist Ihr Code für Shop. Versuch: Chromium, Windows, Berlin, Deutschland, 14:05 UTC. Geben Sie ihn nicht weiter. Nicht Sie? Nicht eingeben.',
    ],
  ])('names device, place, network and time of the attempt, as far as they fit: %s', async (language, text) => {
    expect(await sent({ language, attempt })).toBe(text);
  });

  const longest: Partial<CodeMessage> = {
    project: {
      name: 'A project with a name of more than thirty characters',
      origin: `https://${'s'.repeat(20)}.example`,
    },
    attempt: {
      device: attempt.device,
      city: 'Saint-Germain-en-Laye-les-Bains-sur-Mer',
      country: 'CF',
      organisation: 'A network operator with a very long name of many words',
      at: attempt.at,
    },
    disownUrl,
  };
  test.each(['en', 'de'])('fits into one message with the longest values: %s', async (language) => {
    const body = await sent({ ...longest, language });
    expect(isOneMessage(body), body).toBe(true);
    expect(body).toContain('012345');
  });

  test.each(['en', 'de'])('fits into one message with letters of other alphabets: %s', async (language) => {
    const names = { city: 'Łódź', organisation: 'Пример', country: 'PL' };
    const body = await sent({ language, attempt: { ...attempt, ...names }, disownUrl });
    expect(isOneMessage(body), body).toBe(true);
    expect(body).not.toContain('Łódź');
    expect(isOneMessage(await sent({ language, attempt, project: { name: 'Магазин' }, disownUrl }))).toBe(true);
  });

  const names = [
    'Shop',
    'A project with a name of more than thirty characters',
    'Магазин',
    'Ж'.repeat(80),
    '{'.repeat(80),
  ];
  const hosts = ['shop.example', `${'s'.repeat(40)}.example`, `${'s'.repeat(60)}.${'t'.repeat(60)}.example`];
  const sites = [undefined, ...hosts.map((host) => `https://${host}`)];
  test.each(
    ['en', 'de'].flatMap((language) => names.flatMap((name) => sites.map((origin) => ({ language, name, origin })))),
  )('is one message that says what to do, whatever the values are: %j', async ({ language, name, origin }) => {
    const project = { name, ...(origin !== undefined && { origin }) };
    for (const values of [{}, { attempt }, { attempt: longest.attempt }]) {
      const body = await sent({ language, project, disownUrl, ...values });
      expect(isOneMessage(body), body).toBe(true);
      expect(body).toMatch(/^012345 .*(?:Not you\? Do not enter it\.|Nicht Sie\? Nicht eingeben\.)/);
      expect(body).not.toContain('/n/');
    }
  });

  test('keeps line breaks of the network out', async () => {
    const organisation = 'Net\n\n@evil.example #012345';
    expect(await sent({ attempt: { ...attempt, organisation } })).not.toContain('\n');
  });

  test("binds the code to the project's site, in a separate last line", async () => {
    const body = await sent({ project: { name: 'Shop', origin: 'https://shop.example' } });
    expect(body).toBe(`${english}\n\n@shop.example #012345`);
  });

  test.each(['http://shop.example', 'https://shop.example:8443', 'null', 'shop.example', ''])(
    'binds it to no site that the format cannot name: %j',
    async (origin) => {
      expect(await sent({ project: { name: 'Shop', origin } })).toBe(english);
    },
  );

  test("keeps line breaks of the project's name out", async () => {
    const body = await sent({ project: { name: 'Shop\n\n@evil.example #012345' } });
    expect(body).not.toContain('\n');
  });
});
