import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WhorlPage } from 'whorl/page';
import { chromium } from './harness/chromium';
import { describeEngines, engines } from './harness/engines';
import { until } from './harness/until';
import { click, newestCode } from './support/demo';
import {
  adapterPages,
  adapterSample,
  isOffered,
  type OpenOptions,
  openAdapterPage,
  problems,
  reactEntry,
  wrong,
} from './support/page-adapters';
import { type PageModule, Playground } from './support/playground';

/** One engine is enough for what differs only in the framework. */
const onlyInChromium = ['React 18', 'Svelte'];

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

describeEngines('a page that stands on an adapter', (engine) => {
  beforeAll(() => playground.use(engine));

  test.each(Object.keys(adapterPages).filter((name) => engine === chromium || !onlyInChromium.includes(name)))(
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
      expect(await problems(playground.page)).toEqual([]);
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

  test('end each request that gets no answer', async () => {
    const code = `${sampleOf('Without a framework, 2').replace('whorlPage()', 'whorlPage({ timeout: 300 })')}\nexport { whorl };`;
    await open('no framework', { code });
    for (const path of ['/login', '/whorl/open', '/whorl/devices']) {
      playground.handlers[path] = () => new Promise(() => {});
    }
    const answers = await playground.page.evaluate(async () => {
      const { whorl } = window.sample as unknown as { whorl: WhorlPage };
      return Promise.all([whorl.submit('/login', {}), whorl.confirm(), whorl.call('devices', {})]);
    });
    const none = { ok: false, status: 0, code: 'network', detail: expect.stringMatching(/The server did not answer/) };
    expect(answers).toMatchObject([none, none, none]);
  });

  test('reject a time limit that is not one', async () => {
    await open('no framework', { code: `export { whorlPage } from 'whorl/page';` });
    const thrown = await playground.page.evaluate(() => {
      const { whorlPage } = window.sample as unknown as { whorlPage: (options: object) => WhorlPage };
      try {
        whorlPage({ timeout: 0 });
      } catch (error) {
        return String(error);
      }
    });
    expect(thrown).toMatch(/TypeError: timeout must be milliseconds above 0/);
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
