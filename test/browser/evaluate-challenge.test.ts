import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import type { TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { begin, evaluateIn, type OpenedEvaluate, openEvaluate } from './support/evaluate';
import { allowed, challenged, type EvaluateServer, json } from './support/evaluate-server';
import { complaints, load } from './support/whorl';

describeEngines('a challenge', (engine) => {
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
    await load(page);
  });

  /** Calls `evaluate` with a callback that takes two tasks, and records the order of events. */
  function callWithCallback() {
    return page.evaluate(async (given) => {
      const events: unknown[] = [];
      const nextTask = () => new Promise((resolve) => setTimeout(resolve));
      const onChallenge = async (call: unknown) => {
        events.push(call);
        await nextTask();
        await nextTask();
        events.push('called back');
      };
      events.push(await window.Whorl.evaluate({ ...given, onChallenge } as never));
      return events;
    }, options());
  }

  test.each(['challenge', 'challenge_and_restrict'] as const)(
    'of %s is handed over once, and awaited',
    async (verdict) => {
      const evaluation = { ...challenged, verdict };
      service.answer = json(200, evaluation);
      expect(await callWithCallback()).toEqual([
        { challenge: { _id: challenged.challenge_id }, evaluation },
        'called back',
        evaluation,
      ]);
      expect(await complaints(page)).toEqual([]);
    },
  );

  test('is not called without a challenge', async () => {
    expect(await callWithCallback()).toEqual([allowed]);
  });

  test.each(['throws', 'rejects'])('whose callback %s rejects with the same error', async (way) => {
    service.answer = json(200, challenged);
    const isSame = await page.evaluate(
      (given, isAsync) => {
        const thrown = new RangeError('Not now');
        const fail = () => {
          throw thrown;
        };
        const onChallenge = isAsync ? async () => fail() : fail;
        return window.Whorl.evaluate({ ...given, onChallenge } as never).catch((error) => error === thrown);
      },
      options(),
      way === 'rejects',
    );
    expect(isSame).toBe(true);
    expect(await complaints(page)).toEqual([]);
  });

  test('is not aborted by the signal during the callback', async () => {
    service.answer = json(200, challenged);
    const answer = await page.evaluate((given) => {
      const controller = new AbortController();
      const onChallenge = async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve));
      };
      return window.Whorl.evaluate({ ...given, onChallenge, signal: controller.signal } as never);
    }, options());
    expect(answer).toEqual(challenged);
  });

  test('is not ended by the timeout during the callback', async () => {
    service.answer = json(200, challenged);
    const running = await page.evaluate(
      async (given) => {
        const timers = new Set<unknown>();
        const { setTimeout: set, clearTimeout: clear } = window;
        Object.assign(window, {
          setTimeout: (action: () => void, delay: number) => {
            const timer = set(action, delay);
            if (delay === given.timeout) timers.add(timer);
            return timer;
          },
          clearTimeout: (timer: number) => {
            timers.delete(timer);
            clear(timer);
          },
        });
        const counts: number[] = [];
        const onChallenge = () => counts.push(timers.size);
        const call = window.Whorl.evaluate({ ...given, onChallenge } as never);
        counts.push(timers.size);
        await call;
        return counts;
      },
      options({ timeout: 9876 }),
    );
    expect(running).toEqual([1, 0]);
  });

  test('without a callback and without a challenge page is left to the caller', async () => {
    service.answer = json(200, challenged);
    expect(await evaluateIn(page, options())).toEqual({ answer: challenged });
    expect(await page.evaluate(() => location.pathname)).toBe('/blank.html');
  });

  test.each([
    ['this one', undefined],
    ['the one that is asked for', 'https://shop.example/cart?item=7&n=1'],
  ])('without a callback navigates to its page, which returns to %s', async (_name, returnUrl) => {
    const challenge_url = server.url('/blank.html?challenge');
    service.answer = json(200, { ...challenged, challenge_url });
    const from = await page.evaluate<string>(() => location.href);
    await begin(page, options({ returnUrl }));
    const expected = `${challenge_url}&return_url=${encodeURIComponent(returnUrl ?? from)}`;
    await until('The way to the page', async () => {
      return (await page.evaluate(() => location.href)) === expected || undefined;
    });
  });

  /** Calls `evaluate`, and records in the origin's storage that it settled, also if the page changes. */
  function beginNoting(given: object): Promise<void> {
    return page.evaluate((options) => {
      localStorage.removeItem('settled');
      const note = () => localStorage.setItem('settled', 'yes');
      window.Whorl.evaluate(options as never).then(note, note);
    }, given);
  }

  test('without a callback never settles after navigation, and works again after returning', async () => {
    service.answer = json(200, { ...challenged, challenge_url: server.url('/blank.html?challenge') });
    await beginNoting(options());
    const searchIs = (start: string) => async () =>
      (await page.evaluate((expected: string) => location.search.startsWith(expected), start)) || undefined;
    await until('The way to the page', searchIs('?challenge'));
    expect(await page.evaluate(() => localStorage.getItem('settled'))).toBeNull();

    await page.evaluate(() => history.back());
    await until('The way back', async () => (await page.evaluate(() => location.search === '')) || undefined);
    service.reset();
    // WebKit restores the page with the package from its back/forward cache. The others reload it.
    await load(page);
    expect(await evaluateIn(page, options())).toEqual({ answer: allowed });
    expect(await page.evaluate(() => localStorage.getItem('settled'))).toBeNull();
  });

  test('without a callback rejects if the browser refuses to navigate', async () => {
    // An invalid URL with a valid prefix: the browser throws.
    service.answer = json(200, { ...challenged, challenge_url: 'https://' });
    const { error } = await evaluateIn(page, options());
    expect(error).toMatchObject({ isWhorlError: true, code: 'navigation' });
    expect(error?.message).toContain('onChallenge');
  });

  test('without a callback rejects if the page has not been left after 30 seconds', async () => {
    const challenge_url = `${service.origin}/nothing?token=secret`;
    service.answer = json(200, { ...challenged, challenge_url });
    service.answerPage = (response) => response.writeHead(204).end();
    await page.evaluate(() => {
      const set = window.setTimeout;
      Object.assign(window, { setTimeout: (act: () => void, ms: number) => set(act, ms === 30_000 ? 0 : ms) });
    });
    const { error } = await evaluateIn(page, options());
    expect(error).toMatchObject({ isWhorlError: true, code: 'navigation' });
    expect(error?.message).not.toContain('secret');
  });

  test.each([
    ['a frame', ''],
    ['a sandboxed frame', 'allow-scripts'],
  ])('without a callback rejects in %s, where that page cannot be shown', async (_name, sandbox) => {
    service.answer = json(200, { ...challenged, challenge_url: server.url('/blank.html?challenge') });
    await page.goto(server.url('/frame-host.html'));
    const outcome = await page.evaluate(
      (given, flags) =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => resolve(data), { once: true });
          const frame = document.createElement('iframe');
          if (flags) frame.setAttribute('sandbox', flags);
          frame.src = `/evaluating.html#${encodeURIComponent(JSON.stringify(given))}`;
          document.body.append(frame);
        }),
      options(),
      sandbox,
    );
    expect(outcome).toEqual({ code: 'navigation', search: '' });
  });

  test('with a callback does not navigate', async () => {
    service.answer = json(200, { ...challenged, challenge_url: server.url('/blank.html?challenge') });
    await callWithCallback();
    service.reset();
    // If the page were navigating, this would fail.
    expect(await evaluateIn(page, options())).toEqual({ answer: allowed });
    expect(await page.evaluate(() => location.search)).toBe('');
  });
});
