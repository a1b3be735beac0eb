import { join } from 'node:path';
import vuePlugin from '@vitejs/plugin-vue';
import { compile } from 'svelte/compiler';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChallengeWith } from 'whorl/next';
import type { WhorlPage } from 'whorl/page';
import { root } from '../package/installed';
import { chromium } from './harness/chromium';
import { describeEngines, engines } from './harness/engines';
import { freePort } from './harness/free-port';
import { until } from './harness/until';
import { violations } from './support/accessibility';
import { click, newestCode, shows } from './support/demo';
import { submitForm } from './support/forms';
import { type PageModule, Playground } from './support/playground';
import { complaints } from './support/whorl';

const page = 'docs/adapters-pages.md';

/** Tests build for development, in which React runs effects twice in strict mode. */
const react18 = ['react', 'react-dom'].map((name) => ({
  find: new RegExp(`^${name}(?=/|$)`),
  replacement: join(root, 'test/react-18/node_modules', name),
}));
const vueFlags = { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' };

const reactEntry = `import { createElement, StrictMode } from 'react';
  import { createRoot } from 'react-dom/client';
  import { App } from './FILE';
  window.app = createRoot(document.getElementById('app'));
  window.app.render(createElement(StrictMode, null, createElement(App)));`;
const svelte = {
  name: 'svelte',
  transform: (code: string, id: string) =>
    id.endsWith('.svelte') ? { code: compile(code, { filename: id, dev: true }).js.code } : undefined,
};
const builds = {
  react18: () => ({ resolve: { alias: react18 } }),
  vue: () => ({ define: vueFlags, plugins: [vuePlugin()] }),
  svelte: () => ({ plugins: [svelte] }),
};
const mounted = { html: '<title>Shop</title><main><h1>Shop</h1><div id="app"></div></main>' };

/** The applications of the docs. */
const applications: Readonly<Record<string, (code: (name: string) => string) => PageModule>> = {
  'React 19': (code) => ({
    ...mounted,
    code: code('React, 1'),
    file: 'App.jsx',
    entry: reactEntry,
  }),
  'React 18': (code) => ({
    ...mounted,
    code: code('React, 1'),
    file: 'App.jsx',
    entry: reactEntry,
    vite: builds.react18,
  }),
  Vue: (code) => ({
    ...mounted,
    code: code('Vue, 2'),
    file: 'App.vue',
    entry: code('Vue, 1'),
    vite: builds.vue,
  }),
  'no framework': (code) => ({
    html: code('Without a framework, 1'),
    code: code('Without a framework, 2'),
  }),
  Svelte: (code) => ({
    ...mounted,
    code: code('Svelte, 1'),
    file: 'App.svelte',
    entry:
      "import { mount } from 'svelte'; import App from './FILE'; mount(App, { target: document.getElementById('app') });",
    vite: builds.svelte,
  }),
};
/** One engine is enough for what differs only in the framework. */
const onlyInChromium = ['React 18', 'Svelte'];

let playground: Playground;
let accounts = 0;

beforeAll(async () => {
  const engine = engines.find((each) => each.available());
  if (engine) playground = await Playground.open(engine);
});
afterAll(() => playground?.close());
beforeEach(() => {
  playground.handlers = {};
});

const sampleOf = (name: string) => playground.code(`${page}, ${name}`);

/** Opens an application with a new account. */
async function open(
  name: string,
  changes: Partial<PageModule> = {},
  { baseUrl, challengeWith }: { readonly baseUrl?: string; readonly challengeWith?: ChallengeWith } = {},
) {
  const id = `adapter-${++accounts}`;
  const email = `${id}@example.com`;
  const requests = await playground.serveLogin({ id, email }, baseUrl, challengeWith);
  const application = applications[name]?.(sampleOf);
  if (!application) throw new Error(`There is no application with ${name}.`);
  await playground.openApplication({ ...application, ...changes });
  await until('The form', async () => (await playground.page.evaluate<boolean>('!!document.forms.login')) || undefined);
  const logIn = (password = 'right') => submitForm(playground.page, '#login', { email, password });
  const enter = (code: string) => submitForm(playground.page, 'form:has([name="code"])', { code });
  const count = (path: string) => requests.filter((each) => each === path).length;
  return { id, email, logIn, enter, count, shows: (pattern: RegExp) => shows(playground.page, pattern) };
}

const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

describeEngines('a page that stands on an adapter', (engine) => {
  beforeAll(() => playground.use(engine));

  test.each(Object.keys(applications).filter((name) => engine === chromium || !onlyInChromium.includes(name)))(
    '%s: a code on a new device, and none the next time',
    async (name) => {
      const shop = await open(name);
      await shop.logIn('wrong');
      await shop.shows(/Wrong password/);
      await shop.logIn();
      await shop.shows(/sent to a\*+@e\*+\.com/);
      const code = await newestCode(playground.demo, shop.email);
      await shop.enter(wrong(code));
      await shop.shows(/The code is wrong\. 4 attempts remain\./);
      await shop.enter(code);
      await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
      expect([shop.count('/login'), shop.count('/whorl/open'), shop.count('/whorl/send')]).toEqual([3, 1, 1]);
      await shop.logIn();
      await until('The next login', () => (shop.count('/login') === 4 ? true : undefined));
      await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
      expect(shop.count('/whorl/open')).toBe(1);
      expect(await problems()).toEqual([]);
    },
  );
});

describeEngines('a React application in strict mode', (engine) => {
  beforeAll(() => playground.use(engine));

  test.each(['React 19', 'React 18'])(
    '%s: a form that is submitted before its effects ran gets its answer',
    async (name) => {
      const submitsAtOnce = `new MutationObserver((_changes, observer) => {
        const form = document.forms.login;
        if (!form) return;
        observer.disconnect();
        for (const [field, text] of [['email', 'ada@example.com'], ['password', 'wrong']]) {
          form.elements.namedItem(field).value = text;
          form.elements.namedItem(field).dispatchEvent(new Event('input', { bubbles: true }));
        }
        form.requestSubmit();
      }).observe(document.getElementById('app'), { childList: true, subtree: true });`;
      const shop = await open(name, { entry: reactEntry.replace('window.app =', `${submitsAtOnce} window.app =`) });
      await shop.shows(/Wrong password/);
    },
  );
});

/** What a script adds to all objects, invisible to `for … in`, with which drivers and frameworks copy objects. */
const pollution = `for (const [name, value] of Object.entries({
  routes: '/changed',
  proof: false,
  nonce: 7,
  signal: 7,
  mode: 'no-cors',
  fetch: () => new Response('{}'),
  ok: true,
  success: true,
  code: 'changed',
  channels: ['text'],
})) Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });`;

describeEngines('a page whose scripts add names to all objects', (engine) => {
  beforeAll(() => playground.use(engine));

  test('sends what it was given, and reads what the server answered', async () => {
    const code = sampleOf('Without a framework, 2').replace(/^(?!import)/m, `${pollution}\n`);
    const shop = await open('no framework', { code });
    await shop.logIn('wrong');
    await shop.shows(/Wrong password/);
    await shop.logIn();
    await shop.shows(/sent to a\*+@e\*+\.com/);
    const sent = await newestCode(playground.demo, shop.email);
    await shop.enter(wrong(sent));
    await shop.shows(/The code is wrong\. 4 attempts remain\./);
    await shop.enter(sent);
    await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
    // A nonce for each login, also for the last one, which is sent again.
    expect([shop.count('/login'), shop.count('/whorl/nonce'), shop.count('/whorl/send')]).toEqual([3, 3, 1]);
  });

  test('sends what it was given, where all objects and lists have toJSON', async () => {
    await open('no framework', { code: `${sampleOf('Without a framework, 2')}\nexport { whorl };` });
    playground.handlers['/echo'] = (body) => Response.json(body);
    const answer = await playground.page.evaluate<string>(async () => {
      const { whorl } = window.sample as unknown as { whorl: WhorlPage };
      // Only during the call, because drivers serialise too.
      const added = [Object.prototype, Array.prototype];
      for (const prototype of added) Object.assign(prototype, { toJSON: () => 'changed' });
      const { body } = await whorl.submit('/echo', { list: [1, { email: 'ada@example.com' }] });
      for (const prototype of added) Reflect.deleteProperty(prototype, 'toJSON');
      return JSON.stringify(body);
    });
    expect(JSON.parse(answer)).toMatchObject({
      list: [1, { email: 'ada@example.com' }],
      fingerprint: expect.stringMatching(/^w1\./),
    });
  });
});

/** Returns warnings and errors, without the browser's own about the answers 401 and 403. */
async function problems() {
  const messages = await complaints(playground.page);
  return messages.filter(({ kind, text }) => /^(?:warning|error|uncaught)$/.test(kind) && !/\b40[13]\b/.test(text));
}

/** Whether a code can be entered. */
const isOffered = `!!document.querySelector('[name="code"]')?.checkVisibility()`;

describe.skipIf(!chromium.available())('the options of a page', () => {
  beforeAll(() => playground.use(chromium));

  test('set the routes, the proof, and how requests are sent', async () => {
    const send = 'fetch: (path, init) => fetch(path.replace("/elsewhere/", "/whorl/"), init)';
    const options = `{ routes: '/elsewhere', proof: false, ${send} }`;
    const code = sampleOf('Without a framework, 2').replace('whorlPage()', `whorlPage(${options})`);
    const shop = await open('no framework', { code });
    await shop.logIn();
    await shop.shows(/sent to a\*+@e\*+\.com/);
    expect([shop.count('/whorl/nonce'), shop.count('/whorl/open')]).toEqual([0, 1]);
  });

  test('send the fields by a function in place of a path', async () => {
    const action = `async (fields) => {
      const headers = { 'content-type': 'application/json' };
      const { status, body } = await fetch('/login', { method: 'POST', headers, body: JSON.stringify(fields) });
      return { status, body: await new Response(body).json() };
    }`;
    const code = sampleOf('Without a framework, 2').replace("'/login'", action);
    const shop = await open('no framework', { code });
    await shop.logIn('wrong');
    await shop.shows(/Wrong password/);
    await shop.logIn();
    await shop.shows(/sent to a\*+@e\*+\.com/);
    await shop.enter(await newestCode(playground.demo, shop.email));
    await shop.shows(new RegExp(`Hello, ${shop.id}\\.`));
    expect([shop.count('/login'), shop.count('/whorl/open')]).toEqual([3, 1]);
  });

  test('give each of two requests its own answer if their challenge is closed', async () => {
    const code = `${sampleOf('Without a framework, 2')}\nexport { whorl };`;
    const shop = await open('no framework', { code });
    const { '/login': logIn } = playground.handlers;
    for (const path of ['/pay', '/comment']) {
      playground.handlers[path] = async (body, ip, headers) => {
        const answer = await logIn?.(body, ip, headers);
        const refusal = answer instanceof Response ? await answer.json() : {};
        const cookie = answer instanceof Response ? answer.headers.get('set-cookie') : null;
        return Response.json({ ...refusal, path }, { status: 403, headers: cookie ? { 'set-cookie': cookie } : {} });
      };
    }
    const answers = playground.page.evaluate(async (email) => {
      const { whorl } = window.sample as unknown as { whorl: WhorlPage };
      const paths = ['/pay', '/comment'];
      return Promise.all(paths.map(async (path) => (await whorl.submit(path, { email })).body.path));
    }, shop.email);
    await shop.shows(/sent to a\*+@e\*+\.com/);
    await until('Both requests', () => (shop.count('/login') === 2 ? true : undefined));
    let areAnswered = false;
    void answers.then(() => {
      areAnswered = true;
    });
    await until('Both answers', async () => {
      // Again if the second request was answered after the first click: then it has a challenge of its own.
      if (await playground.page.evaluate<boolean>(isOffered)) await click(playground.page, 'Cancel');
      return areAnswered || undefined;
    });
    expect(await answers).toEqual(['/pay', '/comment']);
  });

  test("show a sign-in library's own sentence", async () => {
    const shop = await open('no framework');
    const body = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' };
    playground.handlers['/login'] = () => Response.json(body, { status: 401 });
    await shop.logIn();
    await shop.shows(/Invalid email or password/);
  });

  test('let a request fail that gets no answer', async () => {
    const code = sampleOf('Without a framework, 2').replace(
      'whorlPage()',
      "whorlPage({ fetch: () => fetch('http://[::1]:1') })",
    );
    const shop = await open('no framework', { code });
    await shop.logIn();
    await shop.shows(/The server did not answer\. Check the connection, then try again\./);
  });
});

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
      await shop.shows(/The service that checks devices is unavailable/);
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
    expect(await problems()).toEqual([]);
  });
});
