import { describe, expect, onTestFinished, test } from 'vitest';
import { createSender, type TextOptions } from '../../../src/ground/messages/sender.js';
import { failureOf } from './failure.js';
import { closedPort, startHttpServer } from './http.js';
import { type Answer, message, personal, plain, server } from './text-harness.js';

const accountSid = `AC${'0'.repeat(32)}`;
const twilio = (baseUrl: string, from = '+15005550006'): TextOptions => ({
  kind: 'twilio',
  accountSid,
  authToken: 'a-token',
  from,
  baseUrl,
});
const created: Answer = [201, { sid: 'SM1', status: 'queued', error_code: null }];

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
    onTestFinished(endless.close);
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
