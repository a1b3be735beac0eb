import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChallengeWith } from 'whorl/next';
import { chromium } from './harness/chromium';
import { engines } from './harness/engines';
import { freePort } from './harness/free-port';
import { until } from './harness/until';
import { violations } from './support/accessibility';
import { click, newestCode } from './support/demo';
import { adapterSample, isOffered, type OpenOptions, openAdapterPage, problems, wrong } from './support/page-adapters';
import { type PageModule, Playground } from './support/playground';

let playground: Playground;

beforeAll(async () => {
  const engine = engines.find((each) => each.available());
  if (engine) playground = await Playground.open(engine);
});
afterAll(() => playground?.close());
beforeEach(() => {
  playground.handlers = {};
});

const sampleOf = (name: string) => adapterSample(playground, name);
const open = (name: string, changes: Partial<PageModule> = {}, options: OpenOptions = {}) =>
  openAdapterPage(playground, name, changes, options);

describe.skipIf(!chromium.available())('the challenge form', () => {
  beforeAll(() => playground.use(chromium));
  const offered = () =>
    until('The form', async () => (await playground.page.evaluate<boolean>(isOffered)) || undefined);

  describe.each(['React 19', 'Vue'])('of %s', (name) => {
    test('is accessible, has the focus, and can be cancelled', async () => {
      const shop = await open(name);
      await shop.logIn();
      await offered();
      const field = 'document.querySelector(\'[name="code"]\')';
      const attributes = `['autocomplete', 'inputmode', 'name'].map((name) => ${field}.getAttribute(name)).join()`;
      expect(await playground.page.evaluate(attributes)).toBe('one-time-code,numeric,code');
      expect(await playground.page.evaluate(`document.activeElement === ${field}`)).toBe(true);
      expect(await violations(playground.page)).toEqual([]);
      await shop.enter('000000');
      await until('The focus after an error', async () => {
        const isBack = `document.querySelector('[role="alert"]') && document.activeElement === ${field}`;
        return (await playground.page.evaluate<boolean>(`!!(${isBack})`)) || undefined;
      });
      expect(await playground.page.evaluate(`${field}.selectionEnd - ${field}.selectionStart`)).toBe(6);
      expect(await violations(playground.page)).toEqual([]);
      await playground.page.evaluate("[...document.querySelectorAll('button')].at(-1).click()");
      await shop.shows(/A code is needed/);
      expect(await playground.page.evaluate(isOffered)).toBe(false);
    });

    test('takes the code that was sent before it was cancelled', async () => {
      const shop = await open(name);
      await shop.logIn();
      await offered();
      const code = await newestCode(playground.demo, shop.email);
      await playground.page.evaluate("[...document.querySelectorAll('button')].at(-1).click()");
      await shop.shows(/A code is needed/);
      await shop.logIn();
      await shop.shows(/Enter the code that was sent to[\s\S]*No new code can be sent now/);
      await shop.enter(code);
      await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
    });

    test('counts no attempt for a code that is not complete', async () => {
      const shop = await open(name);
      await shop.logIn();
      await offered();
      await shop.enter('abc');
      await shop.shows(/Enter the six digits of the code/);
      const code = await newestCode(playground.demo, shop.email);
      await shop.enter(wrong(code));
      await shop.shows(/The code is wrong\. 4 attempts remain\./);
      await shop.enter(`${code.slice(0, 3)} ${code.slice(3)}`);
      await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
    });

    test('asks for a new code, without a field, after the last wrong one', async () => {
      const shop = await open(name);
      await shop.logIn();
      await offered();
      const code = await newestCode(playground.demo, shop.email);
      for (const left of ['4 attempts remain', '3 attempts remain', '2 attempts remain', '1 attempt remains']) {
        await shop.enter(wrong(code));
        await shop.shows(new RegExp(`The code is wrong\\. ${left}\\.`));
      }
      await shop.enter(wrong(code));
      await shop.shows(/Too many wrong codes\. You can request a new one in \d+ seconds\./);
      expect(await playground.page.evaluate('document.body.innerText')).not.toContain('Enter the code that was sent');
      expect(await playground.page.evaluate('!!document.querySelector(\'[name="code"]\')')).toBe(false);
      // Also after it was cancelled.
      await playground.page.evaluate("[...document.querySelectorAll('button')].at(-1).click()");
      await shop.shows(/A code is needed/);
      await shop.logIn();
      await shop.shows(/No new code can be sent now\. Try again in \d+ seconds\./);
      expect(await playground.page.evaluate('!!document.querySelector(\'[name="code"]\')')).toBe(false);
    });

    test('offers no other code while the first one is sent', async () => {
      const shop = await open(name);
      const { '/whorl/send': send } = playground.handlers;
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      playground.handlers['/whorl/send'] = async (body, ip, headers) => {
        await isReleased;
        return send?.(body, ip, headers);
      };
      await shop.logIn();
      await shop.shows(/Sending a code/);
      const buttons = "[...document.querySelectorAll('.whorl-challenge button')].map(({ innerText }) => innerText)";
      expect(await playground.page.evaluate(buttons)).toEqual(['Cancel']);
      release();
      await shop.shows(/Enter the code that was sent to/);
      expect(await playground.page.evaluate(buttons)).toEqual([
        'Continue',
        expect.stringContaining('Send a new code by email'),
        'Cancel',
      ]);
    });

    test('does not say longer than needed to try again later', async () => {
      const shop = await open(name);
      let sent = 0;
      playground.handlers['/whorl/send'] = () => {
        sent += 1;
        const body = { code: 'rate_limited', detail: 'Try again in 1 second.' };
        return Response.json(body, { status: 429, headers: { 'retry-after': '1' } });
      };
      await shop.logIn();
      await shop.shows(/Try again in 1 second/);
      await until('The end of the sentence', async () => {
        const text = await playground.page.evaluate<string>('document.body.innerText');
        return !text.includes('Try again') || undefined;
      });
      await shop.shows(/Enter the code that was sent to/);
      expect(sent).toBe(1);
    });

    test('continues if the challenge was completed in another tab', async () => {
      const shop = await open(name);
      await shop.logIn();
      await offered();
      const code = await newestCode(playground.demo, shop.email);
      const whorl = await playground.client();
      const { data } = await whorl.challenges.list({ limit: 1 });
      const id = data[0]?._id ?? '';
      expect(await whorl.challenges.verify(id, { code })).toMatchObject({ success: true });
      await whorl.challenges.complete(id);
      await shop.enter(code);
      await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
    });

    test('sends a double click once', async () => {
      const shop = await open(name);
      await playground.page.evaluate((email) => {
        const { login } = document.forms as unknown as Record<string, HTMLFormElement>;
        for (const [field, value] of Object.entries({ email, password: 'right' })) {
          const input = login?.elements.namedItem(field);
          if (input instanceof HTMLInputElement) input.value = value;
        }
        login?.requestSubmit();
        login?.requestSubmit();
      }, shop.email);
      await offered();
      expect(shop.count('/login')).toBe(1);
    });

    test('confirms with a factor of the application in place of a code', async () => {
      const challengeWith: ChallengeWith = () => ({
        method: 'passkey',
        begin: () => ({ options: { number: 7 }, state: '7' }),
        verify: (response, state) => response === `signed ${state}`,
      });
      const answers = `{ passkey: async ({ number }) => {
        window.asked = (window.asked ?? 0) + 1;
        if (window.asked === 1) throw new Error('Cancelled');
        return window.asked === 2 ? 'signed 8' : 'signed ' + number;
      } }`;
      const changes =
        name === 'Vue'
          ? { entry: sampleOf('Vue, 1').replace('whorlVue()', `whorlVue({ challengeWith: ${answers} })`) }
          : {
              code: sampleOf('React, 1').replace('<WhorlProvider>', `<WhorlProvider challengeWith={${answers}}>`),
            };
      const shop = await open(name, changes, { challengeWith });
      await shop.logIn();
      await shop.shows(/Confirm that it is you\./);
      expect(await violations(playground.page)).toEqual([]);
      await click(playground.page, 'Confirm with your passkey');
      await shop.shows(/The confirmation was cancelled, or did not work/);
      await click(playground.page, 'Confirm with your passkey');
      await shop.shows(/That did not confirm this account/);
      await click(playground.page, 'Confirm with your passkey');
      await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
      expect([shop.count('/whorl/send'), shop.count('/whorl/begin'), shop.count('/whorl/verify')]).toEqual([0, 3, 2]);
    });

    test('reports that the service is unavailable', async () => {
      const shop = await open(name, {}, { baseUrl: `http://localhost:${await freePort()}` });
      await shop.logIn();
      await shop.shows(/This cannot be checked at the moment/);
    });
  });

  test('of the application itself', async () => {
    const code = sampleOf('React, 1').replace(', ChallengeForm,', ',').replace('{ ChallengeForm, ', '{ ');
    const own = sampleOf('React, 2').replace("import { ChallengeForm } from 'whorl/react';", '');
    const shop = await open('React 19', {
      code: `import { ChallengeForm } from 'whorl/react';\n${code.replace('<ChallengeForm />', '<OwnForm />')}\n${own}`,
    });
    await shop.logIn();
    await shop.shows(/Code, sent to a\*+@e\*+\.com/);
    await shop.enter('000000');
    await shop.shows(/The code is wrong/);
    await shop.enter(await newestCode(playground.demo, shop.email));
    await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
  });

  test('ends when its application is unmounted', async () => {
    const shop = await open('React 19');
    await shop.logIn();
    await offered();
    await playground.page.evaluate('app.unmount()');
    expect(await playground.page.evaluate("document.getElementById('app').innerHTML")).toBe('');
    expect(shop.count('/login')).toBe(1);
    expect(await problems(playground.page)).toEqual([]);
  });
});
