import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { freePort } from './harness/free-port';
import type { TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { begin, clientId, evaluateIn, type OpenedEvaluate, openEvaluate, outcomeOf, user } from './support/evaluate';
import { type Answer, allowed, challenged, type EvaluateServer, json, silence } from './support/evaluate-server';
import { load } from './support/whorl';

declare global {
  interface Window {
    said: string[];
  }
}

/** Records uncaught errors and console output of the package, except reports of the browser itself. */
function watch(): void {
  window.said = [];
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, () => window.said.push(type));
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    console[method] = (...what) => window.said.push(`${method} ${what}`);
  }
}

const problem = {
  type: 'https://example.com/docs/errors.md#rate_limited',
  title: 'Too many requests',
  status: 429,
  detail: 'Wait for a moment.',
  code: 'rate_limited',
  request_id: 'request-55',
};

describeEngines('evaluate without a verdict', (engine) => {
  let server: TestServer;
  let page: TestPage;
  let service: EvaluateServer;
  let options: OpenedEvaluate['options'];

  beforeAll(async () => {
    const opened = await openEvaluate(engine);
    ({ server, page, service, options } = opened);
    return opened.close;
  });
  beforeEach(async () => {
    service.reset();
    await page.goto(server.url('/blank.html'));
    await page.evaluate(watch);
    await load(page);
  });

  const answers: Record<string, [answer: Answer, error: object]> = {
    '429 with Retry-After': [
      json(429, problem, { 'retry-after': '7' }),
      { status: 429, problemCode: 'rate_limited', requestId: 'request-55', retryAfter: 7 },
    ],
    '401 without more': [(response) => response.writeHead(401).end(), { status: 401 }],
    '503 with a date in Retry-After': [
      json(503, { ...problem, code: 'unavailable' }, { 'retry-after': new Date().toUTCString() }),
      { status: 503, problemCode: 'unavailable', requestId: 'request-55' },
    ],
    '500 with a page of HTML': [
      (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Broken</h1>'),
      { status: 500 },
    ],
    '500 with fields of other types': [json(500, { code: 7, request_id: [] }), { status: 500 }],
    '200 with nothing': [(response) => response.writeHead(200).end(), { status: 200 }],
    '200 with the page of an application': [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Shop</h1>'),
      { status: 200, message: 'The service returned status 200, but no evaluation. Check baseUrl.' },
    ],
    '200 that is no JSON': [(response) => response.writeHead(200).end('{"verdict":"allow"'), { status: 200 }],
    '200 with null': [json(200, null), { status: 200 }],
    '200 with a list': [json(200, [allowed]), { status: 200 }],
    '200 without a verdict': [json(200, { ...allowed, verdict: undefined }), { status: 200 }],
    '200 with an unknown verdict': [json(200, { ...allowed, verdict: 'allowed' }), { status: 200 }],
    '200 without a token': [json(200, { ...allowed, token: '' }), { status: 200 }],
    '200 with a number for an identifier': [json(200, { ...challenged, challenge_id: 7 }), { status: 200 }],
    '200 with a script for an address': [
      json(200, { ...challenged, challenge_url: 'javascript:void(document.title="ran")' }),
      { status: 200 },
    ],
    '200 that breaks off': [
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"verdict":');
        setImmediate(() => response.destroy());
      },
      { status: 200 },
    ],
  };
  test.each(Object.entries(answers))('http: %s', async (_, [answer, error]) => {
    service.answer = answer;
    const outcome = await evaluateIn(page, options());
    expect(outcome).toEqual({
      error: { isWhorlError: true, code: 'http', message: expect.stringContaining('returned'), ...error },
    });
    expect(await page.evaluate(() => window.said)).toEqual([]);
  });

  describe('network', () => {
    test('an unreachable service', async () => {
      const { error } = await evaluateIn(page, options({ baseUrl: `http://localhost:${await freePort()}` }));
      expect(error).toMatchObject({ isWhorlError: true, code: 'network' });
      expect(await page.evaluate(() => window.said)).toEqual([]);
    });

    test('an origin that the service does not allow', async () => {
      service.isOpen = false;
      const { error } = await evaluateIn(page, options());
      expect(error).toMatchObject({ isWhorlError: true, code: 'network' });
      expect(service.asked).toEqual([]);
      expect(await page.evaluate(() => window.said)).toEqual([]);
    });

    test('the connection ends before a response', async () => {
      service.answer = (response) => response.destroy();
      const { error } = await evaluateIn(page, options());
      expect(error).toMatchObject({ isWhorlError: true, code: 'network' });
    });
  });

  describe('timeout', () => {
    const slow: Record<string, Answer> = {
      'an answer that never begins': silence,
      'an answer that never ends': (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"verdict":');
      },
    };
    test.each(Object.entries(slow))('%s', async (_, answer) => {
      service.answer = answer;
      // A busy machine may take more than two seconds to read the browser.
      for (const timeout of [1000, 2000, 10_000, 50_000]) {
        const { error } = await evaluateIn(page, options({ timeout }));
        const message = expect.stringContaining(`${timeout} ms`);
        expect(error).toMatchObject({ isWhorlError: true, code: 'timeout', message });
        if (service.asked.length > 0) break;
      }
      await until('The end of the request', () => service.asked[0]?.wasDropped || undefined);
      expect(await page.evaluate(() => window.said)).toEqual([]);
    });

    test('a browser that takes too long to read causes no request', async () => {
      await hangAudio();
      const { error } = await evaluateIn(page, options({ timeout: 100, timeoutMs: 700 }));
      expect(error).toMatchObject({ isWhorlError: true, code: 'timeout' });
      await expectNothingAsked();
    });
  });

  describe('aborted', () => {
    test('before the start, nothing is read or requested', async () => {
      const { code, rendered, hasReason } = await page.evaluate(async (given) => {
        let rendered = 0;
        const original = OfflineAudioContext.prototype.startRendering;
        OfflineAudioContext.prototype.startRendering = function () {
          rendered++;
          return original.call(this);
        };
        const controller = new AbortController();
        controller.abort();
        const error = await window.Whorl.evaluate({ ...given, signal: controller.signal } as never).catch(
          (thrown) => thrown,
        );
        return { code: error.code, rendered, hasReason: error.cause === controller.signal.reason };
      }, options());
      expect({ code, rendered, hasReason }).toEqual({ code: 'aborted', rendered: 0, hasReason: true });
      await expectNothingAsked();
    });

    test('during the reading, immediately and without a request', async () => {
      await page.evaluate(() => {
        let isFirst = true;
        OfflineAudioContext.prototype.startRendering = () => {
          if (isFirst) window.abort();
          isFirst = false;
          return new Promise(() => {});
        };
      });
      await begin(page, options({ timeoutMs: 700 }));
      expect((await outcomeOf(page)).error).toMatchObject({ isWhorlError: true, code: 'aborted' });
      await expectNothingAsked();
    });

    test('during the request, which is aborted', async () => {
      service.answer = silence;
      await begin(page, options());
      await until('The request', () => service.asked[0]);
      await page.evaluate(() => window.abort());
      expect((await outcomeOf(page)).error).toMatchObject({ isWhorlError: true, code: 'aborted' });
      await until('The end of the request', () => service.asked[0]?.wasDropped || undefined);
      expect(await page.evaluate(() => window.said)).toEqual([]);
    });

    test('by the signal of a frame', async () => {
      service.answer = silence;
      await page.evaluate((given) => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        const controller: AbortController = Reflect.construct(
          Reflect.get(frame.contentWindow ?? {}, 'AbortController'),
          [],
        );
        window.abort = () => controller.abort();
        window.outcome = window.Whorl.evaluate({ ...given, signal: controller.signal } as never).then(
          (answer) => ({ answer }),
          ({ code, message }) => ({ error: { isWhorlError: true, code, message } }),
        );
      }, options());
      await until('The request', () => service.asked[0]);
      await page.evaluate(() => window.abort());
      expect((await outcomeOf(page)).error).toMatchObject({ code: 'aborted' });
    });

    test.each([
      ['an answer', json(200, allowed)],
      ['an error', json(500, problem)],
    ])('never after %s, because no listener is left on the signal', async (_, answer) => {
      service.answer = answer;
      const heard = await page.evaluate(async (given) => {
        let heard = 0;
        const controller = new AbortController();
        const { signal } = controller;
        const listen = signal.addEventListener.bind(signal);
        Object.defineProperty(signal, 'addEventListener', {
          value: (type: string, listener: () => void, listening?: AddEventListenerOptions) => {
            const counted = () => {
              heard++;
              listener();
            };
            listen(type, counted, listening);
          },
        });
        await window.Whorl.evaluate({ ...given, signal } as never).catch(() => undefined);
        controller.abort();
        return heard;
      }, options());
      expect(heard).toBe(0);
      expect(await page.evaluate(() => window.said)).toEqual([]);
    });
  });

  test('error messages do not contain the arguments', async () => {
    const given = [clientId, service.origin, ...Object.values(user), 'purchase', 'sk_live_secret'];
    const failures = [
      await evaluateIn(page, options({ baseUrl: `http://localhost:${await freePort()}` })),
      await evaluateIn(page, options({ timeout: 1 })),
      await evaluateIn(page, options({ clientId: 'sk_live_secret' })),
      await evaluateIn(page, options({ metadata: 'purchase' })),
    ];
    service.answer = json(400, { ...problem, detail: `No user ${user.user}` });
    failures.push(await evaluateIn(page, options()));
    const messages = failures.map(({ error }) => error?.message ?? '');
    expect(failures.map(({ error }) => error?.code)).toEqual([
      'network',
      'timeout',
      'invalid_options',
      'invalid_options',
      'http',
    ]);
    for (const text of given) expect(messages.filter((message) => message.includes(text))).toEqual([]);
  });

  /** Makes reading the browser take until `timeoutMs`. */
  function hangAudio(): Promise<void> {
    return page.evaluate(() => {
      OfflineAudioContext.prototype.startRendering = () => new Promise(() => {});
    });
  }

  /** Checks that the previous call sent no request. A later call has, so the previous one had enough time. */
  async function expectNothingAsked(): Promise<void> {
    const { answer } = await evaluateIn(page, options({ user: 'later', timeoutMs: 700 }));
    expect(answer).toEqual(allowed);
    expect(service.asked.map(({ body }) => body.user)).toEqual(['later']);
  }
});
