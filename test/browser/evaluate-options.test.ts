import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { version } from '../../src/version';
import { describeEngines } from './harness/engines';
import type { TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { clientId, evaluateIn, type GivenOptions, type OpenedEvaluate, openEvaluate, user } from './support/evaluate';
import { allowed, type EvaluateServer } from './support/evaluate-server';
import { complaints, getComponents, getHash, load, waitLongerForIndexedDb } from './support/whorl';

describeEngines('the options of evaluate', (engine) => {
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
  });

  describe('of the call', () => {
    beforeEach(async () => {
      await waitLongerForIndexedDb(page);
      await load(page);
    });

    test('are sent to the service, and nothing else is', async () => {
      const metadata = { plan: 'pro', seats: 3, nested: [null, 'ü'] };
      expect(
        await evaluateIn(page, options({ metadata, workerUrl: '/dist/whorl-worker.min.js', password: 'x' } as object)),
      ).toEqual({ answer: allowed });
      const [fingerprint] = await getHash(page);
      const [asked] = service.asked;
      expect(asked?.body).toEqual({
        ...user,
        action: 'login',
        metadata,
        fingerprint,
        last_fingerprint: expect.any(String),
        version,
        proof: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      });
      expect(asked).toMatchObject({
        path: '/v2/device/evaluate',
        headers: { authorization: `Bearer ${clientId}`, 'content-type': 'application/json' },
      });
      expect(asked?.headers.cookie).toBeUndefined();
      expect(await complaints(page)).toEqual([]);
    });

    test('require only a client ID, a URL, an action and a user', async () => {
      const given = { clientId, baseUrl: service.origin, action: 'signup', user: 'u' };
      expect(await evaluateIn(page, given)).toEqual({ answer: allowed });
      expect(Object.keys(service.asked[0]?.body ?? {}).sort()).toEqual([
        'action',
        'fingerprint',
        'last_fingerprint',
        'proof',
        'user',
        'version',
      ]);
    });

    test.each(['/', '/whorl', '/whorl/'])('accept a base URL that ends in %s', async (end) => {
      await evaluateIn(page, options({ baseUrl: service.origin + end }));
      expect(service.asked[0]?.path).toBe(`${end.replace(/\/$/, '')}/v2/device/evaluate`);
    });

    const wrong: [name: keyof GivenOptions, values: unknown[]][] = [
      ['clientId', [null, '', 7, 'sk_live_1234', 'pk_live_1\n2', {}]],
      ['baseUrl', ['', 7, '/here', 'ftp://localhost', 'https://', 'http://a b']],
      ['action', [null, '', 7, 'Log in', 'x'.repeat(65)]],
      ['user', [null, '', ' ', 7, {}]],
      ['email', [7, {}, []]],
      ['phone', [15550100, {}]],
      ['metadata', ['x', 7, null, [], true]],
      ['onChallenge', ['x', null, {}]],
      ['signal', ['x', null, false, {}]],
      ['timeout', [0, -1, 'soon', null, 2 ** 31]],
      ['timeoutMs', [0]],
      ['scope', [7]],
      ['workerUrl', [7]],
    ];
    test.each(wrong)('are rejected if %s is invalid', async (name, values) => {
      for (const value of values) {
        const { error } = await evaluateIn(page, options({ [name]: value }));
        expect(error, JSON.stringify(value)).toMatchObject({ isWhorlError: true, code: 'invalid_options' });
        expect(error?.message).toMatch(new RegExp(`^${name} must be `));
      }
      expect(service.asked).toEqual([]);
    });

    test('are explained in words instead of patterns', async () => {
      for (const [name, [value]] of wrong) {
        const { error } = await evaluateIn(page, options({ [name]: value }));
        expect(error?.message).toMatch(/^[\w ,.:;()…'-]+$/);
      }
    });

    test.each(['sk_live_4f9a1c', 'sk_test_4f9a1c'])('are rejected if clientId is a secret key: %s', async (secret) => {
      const { error } = await evaluateIn(page, options({ clientId: secret }));
      expect(error).toMatchObject({ isWhorlError: true, code: 'invalid_options' });
      expect(error?.message).toMatch(/clientId.*publishable key.*secret key.*Anyone can read it in a page.*rotate/);
      expect(error?.message).not.toContain('4f9a1c');
      expect(service.asked).toEqual([]);
    });

    test('are rejected if they are missing, or if metadata is circular', async () => {
      const messages = await page.evaluate(async (given) => {
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        const messageOf = (options: unknown) =>
          window.Whorl.evaluate(options as never).catch(({ code, message }) => `${code} ${message}`);
        return [await messageOf(undefined), await messageOf({ ...given, metadata: circle })];
      }, options());
      expect(messages).toEqual([
        expect.stringMatching(/^invalid_options clientId/),
        expect.stringMatching(/^invalid_options metadata/),
      ]);
    });
  });

  describe('of the script tag', () => {
    /** Adds a script tag with these attributes to the page, and waits until it has loaded. */
    function addTag(attributes: Record<string, string>): Promise<void> {
      return page.evaluate(
        (given) =>
          new Promise<void>((resolve, reject) => {
            const script = document.createElement('script');
            for (const [name, value] of Object.entries(given)) script.setAttribute(name, value);
            script.onload = () => resolve();
            script.onerror = () => reject(new Error('The script did not load'));
            document.head.append(script);
          }),
        attributes,
      );
    }

    const src = '/dist/whorl.min.js';
    const call = { action: 'login', user: 'u' };

    test('sets the client ID and the base URL', async () => {
      await addTag({ src, 'data-client-id': clientId, 'data-base-url': service.origin });
      expect(await evaluateIn(page, call)).toEqual({ answer: allowed });
      expect(service.asked[0]?.headers.authorization).toBe(`Bearer ${clientId}`);
      expect(await complaints(page)).toEqual([]);
    });

    test('sets the base URL to the origin of the file', async () => {
      await addTag({ src: `${service.origin}/whorl.min.js`, 'data-client-id': clientId });
      expect(await evaluateIn(page, call)).toEqual({ answer: allowed });
      expect(service.asked).toHaveLength(1);
    });

    test('is overridden by the call, except by undefined', async () => {
      await addTag({ src, 'data-client-id': 'pk_test_tag', 'data-base-url': service.origin, 'data-scope': 'tag' });
      const answers = await page.evaluate(
        async (given) => {
          const { evaluate, getHash } = window.Whorl;
          const left = { clientId: undefined, baseUrl: undefined, scope: undefined };
          await evaluate({ ...given, ...left } as never);
          await evaluate({ ...given, clientId: 'pk_test_call' } as never);
          return [await getHash(left), await getHash({ scope: 'call' })];
        },
        { ...call },
      );
      expect(service.asked.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer pk_test_tag',
        'Bearer pk_test_call',
      ]);
      const [[inTag] = [], [inCall] = []] = answers;
      expect(service.asked.map(({ body }) => body.fingerprint)).toEqual([inTag, inTag]);
      expect(inCall).not.toBe(inTag);
    });

    test('sets the scope and the worker of all readings', async () => {
      await addTag({ src });
      const [plain] = await getHash(page);
      const [scoped] = await getHash(page, { scope: 'shop' });
      expect(scoped).not.toBe(plain);
      await page.reload();
      await addTag({ src, 'data-scope': 'shop', 'data-worker-url': '/dist/whorl-worker.min.js' });
      expect((await getHash(page))[0]).toBe(scoped);
      const { fingerprint, readings } = await getComponents(page);
      expect(fingerprint).toBe(scoped);
      expect(readings.worker.status).toBe('ok');
    });

    test('can be invalid, which the call reports', async () => {
      await addTag({ src, 'data-client-id': clientId, 'data-base-url': '' });
      const { error } = await evaluateIn(page, call);
      expect(error).toMatchObject({ code: 'invalid_options', message: expect.stringContaining('baseUrl') });
    });

    test('is ignored if it loads the file as a module', async () => {
      await addTag({ src, type: 'module', 'data-client-id': clientId, 'data-base-url': service.origin });
      for (const [given, name] of [
        [call, 'clientId'],
        [{ ...call, clientId }, 'baseUrl'],
      ] as const) {
        const { error } = await evaluateIn(page, given);
        expect(error).toMatchObject({ code: 'invalid_options', message: expect.stringContaining(name) });
      }
    });

    const elements = {
      'a form':
        '<form name="currentScript" data-base-url="https://other.invalid" data-client-id="pk_test_other"></form>',
      'an image': '<img name="currentScript" alt="" data-base-url="https://other.invalid">',
      'a frame': '<iframe name="currentScript"></iframe>',
    };
    test.each(Object.entries(elements))('is not hidden by %s with the name currentScript', async (_name, markup) => {
      await page.evaluate((html) => document.body.insertAdjacentHTML('afterbegin', html), markup);
      expect(await page.evaluate(() => document.currentScript === null)).toBe(false);
      await addTag({ src, 'data-client-id': clientId, 'data-base-url': service.origin });
      expect(await evaluateIn(page, call)).toEqual({ answer: allowed });
      expect(service.asked[0]?.headers.authorization).toBe(`Bearer ${clientId}`);
    });
  });
});
