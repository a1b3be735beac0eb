import { beforeAll, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { openPage } from './support/session';
import { complaints, getComponents, getHash, load, visit } from './support/whorl';

declare global {
  interface Window {
    answer: Promise<unknown>;
    firstWhorl: unknown;
  }
}

/** The members of `window.Whorl` without the events file. */
const publicMembers = [
  'WhorlError',
  'collect',
  'evaluate',
  'getComponents',
  'getHash',
  'getProof',
  'identify',
  'prepare',
  'version',
];

describeEngines('the entry points', (engine) => {
  let server: TestServer;
  let session: BrowserSession;
  let page: TestPage;

  beforeAll(async () => {
    const opened = await openPage(engine, startServer);
    ({ server, session, page } = opened);
    return opened.close;
  });

  test('async script tag, used in its onload, under a strict CSP', async () => {
    await page.goto(server.url('/async-tag.html'));
    const [current, last] = await page.evaluate(() => window.answer as Promise<string[]>);
    expect(current).toMatch(/^w1\.d/);
    expect(last).toBe('');
    expect(await complaints(page)).toEqual([]);
  });

  test('script tag twice on one page', async () => {
    await page.goto(server.url('/twice.html'));
    expect(await page.evaluate(() => window.Whorl === window.firstWhorl)).toBe(true);
    expect((await getHash(page))[0]).toMatch(/^w1\./);
  });

  test('the events file runs first', async () => {
    await page.goto(server.url('/blank.html'));
    await page.evaluate(async () => {
      for (const name of ['whorl-events', 'whorl']) {
        const script = document.createElement('script');
        script.src = `/dist/${name}.min.js`;
        const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
        document.head.append(script);
        await loaded;
      }
    });
    expect(await page.evaluate(() => Object.keys(window.Whorl))).toContain('onDetached');
    expect((await getHash(page))[0]).toMatch(/^w1\./);
  });

  describe('DOM clobbering: an element named Whorl before and after the script', () => {
    const elements: Record<string, string> = {
      'a form': '<form id="Whorl"><input name="getHash"><input name="onDetached"></form>',
      'a form by its name': '<form name="Whorl"><input name="getHash"></form>',
      'a link': '<a id="Whorl" href="https://whorl.invalid/"></a>',
      'two links': '<a id="Whorl"></a><a id="Whorl" name="getHash"></a>',
      'an image': '<img name="Whorl" alt="">',
      'a frame': '<iframe name="Whorl"></iframe>',
      'a frame of another site': '<iframe name="Whorl" src="OTHER_SITE"></iframe>',
    };

    const cases = Object.entries(elements).flatMap(([name, markup]) => [
      { name, markup, files: ['whorl'] },
      { name, markup, files: ['whorl-events', 'whorl'] },
      { name, markup, files: ['whorl', 'whorl-events'] },
    ]);

    test.each(cases)('$name, with $files', async ({ markup, files }) => {
      const html = markup.replace('OTHER_SITE', server.url('/blank.html', { host: '127.0.0.1' }));
      await page.goto(server.url('/blank.html'));
      const members = await page.evaluate(
        async (elements, names) => {
          const insert = async () => {
            const place = document.createElement('div');
            place.innerHTML = elements;
            const frame = place.querySelector('iframe');
            const loaded = frame && new Promise((resolve) => frame.addEventListener('load', resolve));
            document.body.prepend(place);
            await loaded;
          };
          await insert();
          for (const name of names) {
            const script = document.createElement('script');
            script.src = `/dist/${name}.min.js`;
            const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
            document.head.append(script);
            await loaded;
          }
          await insert();
          return Object.keys(window.Whorl).sort();
        },
        html,
        files,
      );
      expect(members).toEqual([...publicMembers, ...(files.length > 1 ? ['onDetached'] : [])].sort());
      expect((await getHash(page))[0]).toMatch(/^w1\./);
    });
  });

  for (const path of ['/strict-csp.html', '/trusted-types.html']) {
    test(`script tag in ${path}`, async () => {
      await visit(page, server.url('/blank.html'));
      const [elsewhere] = await getHash(page);
      expect(await visit(page, server.url(path))).toEqual([elsewhere, elsewhere]);
      expect(await complaints(page)).toEqual([]);
    });
  }

  test('window.Whorl has the public functions and nothing else', async () => {
    await page.goto(server.url('/blank.html'));
    await load(page);
    expect(await page.evaluate(() => Object.keys(window.Whorl).sort())).toEqual(publicMembers);
  });

  test('ES module in the page', async () => {
    await page.goto(server.url('/module.html'));
    const answer = await page.evaluate(async () => {
      if (!window.answer) await new Promise((resolve) => addEventListener('answering', resolve, { once: true }));
      return window.answer as Promise<Record<string, unknown>>;
    });
    expect(answer).toMatchObject({ os: 'Linux', same: true, onWindow: false });
    expect(await complaints(page)).toEqual([]);
  });

  test('npm import in a single-page app, built for production', async () => {
    await page.goto(server.url('/demo/index.html#fingerprint'));
    const shown = await page.evaluate(async () => {
      const text = () => document.body.innerText;
      const until = Date.now() + 20_000;
      while (!/w1\.d/.test(text()) && Date.now() < until) await new Promise(requestAnimationFrame);
      return text();
    });
    const [current] = await visit(page, server.url('/blank.html'));
    expect(shown.replace(/\s/g, '')).toContain(current);
  });

  test('in a worker enabled with workerUrl, without a contradiction to the page', async () => {
    await page.goto(server.url('/strict-csp.html'));
    await load(page);
    const { readings } = await getComponents(page, { workerUrl: '/dist/whorl-worker.min.js' });
    expect(readings.worker.status).toBe('ok');
    const [plain] = await getHash(page);
    const [withWorker] = await getHash(page, { workerUrl: '/dist/whorl-worker.min.js' });
    expect(withWorker).toBe(plain);
    expect(await complaints(page)).toEqual([]);
  });

  test('imported by a worker of the site, does nothing', async () => {
    await page.goto(server.url('/blank.html'));
    const said = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/importing-worker.js');
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = () => reject(new Error('The worker failed'));
        }),
    );
    expect(said).toEqual({ imported: true, added: [] });
    expect(await complaints(page)).toEqual([]);
  });

  test('a worker that does not start is not a contradiction', async () => {
    // A separate page, because the browser may report the error of such a worker later.
    const tab = await session.open(server.url('/blank.html'));
    await load(tab);
    const { readings } = await getComponents(tab, { workerUrl: '/nowhere.js' });
    expect(readings.worker.status).toBe('error');
    const [plain] = await getHash(tab);
    expect((await getHash(tab, { workerUrl: '/nowhere.js' }))[0]).toBe(plain);
    await tab.close();
  });

  test('a worker that never responds is terminated at the timeout', async () => {
    const isAlive = () =>
      page.evaluate(async () => {
        const { held = [] } = await navigator.locks.query();
        return held.some(({ name }) => name === 'silent-worker');
      });
    await page.goto(server.url('/blank.html'));
    await load(page);
    await page.evaluate(() => {
      window.answer = window.Whorl.getComponents({ workerUrl: '/silent-worker.js' });
    });
    await until('The start of the worker', async () => (await isAlive()) || undefined);
    expect(await page.evaluate(() => window.answer)).toMatchObject({ readings: { worker: { status: 'timeout' } } });
    await until('The end of the worker', async () => !(await isAlive()) || undefined);
    expect(await complaints(page)).toEqual([]);
  });

  test.each([
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: 'soon' }, 'timeoutMs'],
    [{ scope: 7 }, 'scope'],
    [{ workerUrl: 7 }, 'workerUrl'],
  ])('rejects invalid options: %j', async (options, name) => {
    await page.goto(server.url('/blank.html'));
    await load(page);
    const error = await page.evaluate(
      (given) =>
        window.Whorl.getHash(given as never).then(
          () => undefined,
          (thrown) => ({
            code: thrown.code,
            message: thrown.message,
            isWhorlError: thrown instanceof window.Whorl.WhorlError,
          }),
        ),
      options,
    );
    expect(error).toMatchObject({ code: 'invalid_options', isWhorlError: true });
    expect(error?.message).toContain(name);
  });

  test('identify is the older name of getHash, and warns once', async () => {
    const [current] = await visit(page, server.url('/blank.html'));
    const answers = await page.evaluate(() => Promise.all([window.Whorl.identify(), window.Whorl.identify()]));
    expect(answers).toEqual([
      [current, current],
      [current, current],
    ]);
    const messages = await complaints(page);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toContain('deprecated');
  });
});
