import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'whorl/fingerprint';
import type { CodeMessage } from '../../../src/ground/messages/message.js';
import type { Attempt } from '../../../src/ground/messages/rules/attempt.js';
import { createSender, type TextOptions } from '../../../src/ground/messages/sender.js';
import { deviceInfo } from '../../../src/resources/devices/rules/device.js';
import { fingerprintOf } from '../../support/fingerprints.js';
import { failureOf } from './failure.js';
import { closedPort, type Request, startHttpServer } from './http.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

async function server(answer?: (request: Request) => Answer) {
  const started = await startHttpServer(
    answer &&
      ((request, response) => {
        const [status, body, headers] = answer(request);
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      }),
  );
  closing.push(started.close);
  return started;
}

const message: CodeMessage = {
  channel: 'text',
  to: '+491701234567',
  code: '012345',
  expiresInMinutes: 10,
  project: { name: 'Shop' },
  language: 'en',
};
const personal = ['491701234567', '012345'];

const accountSid = `AC${'0'.repeat(32)}`;
const twilio = (baseUrl: string, from = '+15005550006'): TextOptions => ({
  kind: 'twilio',
  accountSid,
  authToken: 'a-token',
  from,
  baseUrl,
});
const plain = (url: string): TextOptions => ({ kind: 'http', url, token: 'b-token' });
const created: Answer = [201, { sid: 'SM1', status: 'queued', error_code: null }];

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

describe('Twilio', () => {
  test('is called as documented', async () => {
    const { url, requests } = await server(() => created);
    await createSender({ text: twilio(url) }).sendCode(message);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: `/2010-04-01/Accounts/${accountSid}/Messages.json`,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:a-token`).toString('base64')}`,
        'content-type': expect.stringMatching(/^application\/x-www-form-urlencoded/),
      },
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: '+491701234567',
      From: '+15005550006',
      Body: expect.stringMatching(/^012345 is your code/),
    });
  });

  test('gets a messaging service if one is configured', async () => {
    const service = `MG${'0a'.repeat(16)}`;
    const { url, requests } = await server(() => created);
    await createSender({ text: twilio(url, service) }).sendCode(message);
    const form = new URLSearchParams(requests[0]?.body);
    expect([form.get('MessagingServiceSid'), form.get('From')]).toEqual([service, null]);
  });

  test.each([
    ['the number is invalid', 400, 21211, 'recipient'],
    ['the recipient has written STOP', 400, 21610, 'recipient'],
    ['the number is no mobile', 400, 21614, 'recipient'],
    ['the country is switched off', 400, 21408, 'refused'],
    ['the token is wrong', 401, 20003, 'credentials'],
    ['there are too many requests', 429, 20429, 'busy'],
    ['it is out of order', 503, 20503, 'busy'],
  ])('fails when %s, and is not quoted', async (_, status, code, failure) => {
    const { url } = await server(() => [
      status,
      { code, message: `The 'To' number +491701234567 is wrong. Body: 012345`, more_info: 'https://…', status },
    ]);
    expect(await failureOf(createSender({ text: twilio(url) }).sendCode(message), [...personal, 'a-token'])).toEqual({
      channel: 'text',
      failure,
      providerCode: code,
    });
  });

  test.each([
    ['a page', '<html>Bad gateway for +491701234567</html>'],
    ['other JSON', { error: '+491701234567' }],
    ['null', 'null'],
    ['nothing', ''],
  ])('fails with the status if the response is %s', async (_, body) => {
    const { url } = await server(() => [502, body]);
    expect(await failureOf(createSender({ text: twilio(url) }).sendCode(message), personal)).toEqual({
      channel: 'text',
      failure: 'busy',
      providerCode: 502,
    });
  });
});

describe('the generic HTTP provider', () => {
  test('gets number and text as JSON, with the token', async () => {
    const { url, requests } = await server(() => [200, { ok: true }]);
    await createSender({ text: plain(`${url}/messages?from=shop`) }).sendCode(message);
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/messages?from=shop',
        headers: { authorization: 'Bearer b-token', 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      to: '+491701234567',
      body: expect.stringMatching(/^012345 is your code/),
    });
  });

  test.each([
    [400, 'refused'],
    [401, 'credentials'],
    [403, 'credentials'],
    [404, 'refused'],
    [429, 'busy'],
    [500, 'busy'],
  ])('fails with status %i as %s', async (status, failure) => {
    const { url } = await server(() => [status, { detail: 'No route to +491701234567' }]);
    const sending = createSender({ text: plain(url) }).sendCode(message);
    expect(await failureOf(sending, [...personal, 'b-token'])).toEqual({
      channel: 'text',
      failure,
      providerCode: status,
    });
  });
});

describe.each([
  ['Twilio', twilio],
  ['the generic HTTP provider', plain],
])('every provider: %s', (_, optionsFor) => {
  test('fails when it is down', async () => {
    const options = optionsFor(`http://127.0.0.1:${closedPort}`);
    expect(await failureOf(createSender({ text: options }).sendCode(message), personal)).toEqual({
      channel: 'text',
      failure: 'unreachable',
      providerCode: undefined,
    });
  });

  test('fails when it does not respond in time', async () => {
    const { url, requests } = await server();
    const sending = createSender({ text: optionsFor(url), timeoutMs: 300 }).sendCode(message);
    expect(await failureOf(sending, personal)).toMatchObject({ failure: 'timeout' });
    // There may be no request if the machine was slower than the timeout.
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  test('fails when it never completes its response', async () => {
    const endless = await startHttpServer((_request, response) => {
      response.writeHead(200);
      response.write('{');
    });
    closing.push(endless.close);
    const sending = createSender({ text: optionsFor(endless.url), timeoutMs: 300 }).sendCode(message);
    expect(await failureOf(sending, personal)).toMatchObject({ failure: 'timeout' });
  });

  test('does not follow redirects', async () => {
    const other = await server(() => created);
    const { url } = await server(() => [307, '', { Location: other.url }]);
    const sending = createSender({ text: optionsFor(url) }).sendCode(message);
    expect(await failureOf(sending, personal)).toMatchObject({ failure: 'refused', providerCode: 307 });
    expect(other.requests).toEqual([]);
  });

  test('is rejected at startup with an invalid URL', () => {
    expect(() => createSender({ text: optionsFor('no address') })).toThrow(RangeError);
  });
});

describe('the sender', () => {
  test('returns the configured channels, and fails on others', async () => {
    const text = createSender({ text: plain('http://127.0.0.1:1') });
    const mail = createSender({ mail: { url: 'smtp://127.0.0.1:1', from: 'a@b.example' } });
    expect([[...text.channels], [...mail.channels], [...createSender({}).channels]]).toEqual([['text'], ['email'], []]);
    expect(await failureOf(mail.sendCode(message), personal)).toEqual({
      channel: 'text',
      failure: 'not_configured',
      providerCode: undefined,
    });
    mail.close();
    text.close();
  });
});
