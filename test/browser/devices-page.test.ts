import vuePlugin from '@vitejs/plugin-vue';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NextProtection } from 'whorl/next';
import type { Whorl } from 'whorl/server';
import { fingerprintOf } from '../../service/test/support/fingerprints';
import { call } from '../package/run-sample';
import { chromium } from './harness/chromium';
import { describeEngines, engines } from './harness/engines';
import { until } from './harness/until';
import { tabThrough, violations } from './support/accessibility';
import { shows } from './support/demo';
import { type PageModule, Playground } from './support/playground';
import { complaints } from './support/whorl';

const ip = '203.0.113.20';
const older = fingerprintOf({ seed: 'older' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const tablet = fingerprintOf({ seed: 'tablet', descriptor: 'taw18' });

/** axe takes a page without a background for a white one, and reads no native colours of buttons in WebKit. */
const style = `:root { color-scheme: light dark; background: light-dark(#fff, #15171a); color: light-dark(#222, #e8e8e8) }
  button, input { background: light-dark(#eee, #333); color: inherit }`;
const html =
  `<meta name="viewport" content="width=device-width"><style>${style}</style>` +
  '<main><h1>Account</h1><div id="devices"></div></main>';

/** The list with each framework. Tests build for development, in which React runs effects twice in strict mode. */
const applications: Readonly<Record<string, (sample: string) => PageModule>> = {
  'no framework': (code) => ({ html, code }),
  React: () => ({
    html,
    file: 'App.jsx',
    code: `import { DeviceList, WhorlProvider } from 'whorl/react';
      export const App = () => <WhorlProvider><DeviceList /></WhorlProvider>;`,
    entry: `import { createElement, StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { App } from './FILE';
      window.app = createRoot(document.getElementById('devices'));
      window.app.render(createElement(StrictMode, null, createElement(App)));`,
  }),
  Vue: () => ({
    html,
    file: 'App.vue',
    code: `<script setup>import { DeviceList } from 'whorl/vue';</script><template><DeviceList /></template>`,
    entry: `import { createApp } from 'vue';
      import { whorlVue } from 'whorl/vue';
      import App from './FILE';
      window.app = createApp(App).use(whorlVue());
      window.app.mount('#devices');`,
    vite: vue,
  }),
};

function vue() {
  return { define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' }, plugins: [vuePlugin()] };
}

let playground: Playground;
let whorl: Whorl;
let users = 0;

beforeAll(async () => {
  const engine = engines.find((each) => each.available());
  if (!engine) return;
  playground = await Playground.open(engine);
  whorl = await playground.client();
});
afterAll(() => playground?.close());
beforeEach(() => {
  playground.handlers = {};
});

interface Opened {
  readonly user: string;
  readonly requests: string[];
  /** Returns the number of the user's devices with a status. */
  count(status: 'attached' | 'detached' | 'blocked'): Promise<number>;
}

/**
 * Opens a list of a new user. The browser is a device of the user, between one that was added before and two that were
 * added later.
 */
async function open(name: string, changes: Partial<PageModule> = {}, isLoggedIn = true): Promise<Opened> {
  const user = `owner-${++users}`;
  const server = await playground.importModule(`
    import { whorlNext } from 'whorl/next';
    export const protect = (whorl) => whorlNext({ whorl, whenUnavailable: 'deny', clientAddress: () => undefined });`);
  const adapter = call<NextProtection>(server, 'protect', whorl);
  const { POST } = adapter.routes({ user: () => (isLoggedIn ? user : undefined) });
  const add = async (fingerprint: string) => {
    const { device_id = '' } = await whorl.evaluate({ action: 'signup', user, fingerprint, ip });
    await whorl.devices.update(device_id, { whitelisted: true });
  };
  const addAll = async (own: unknown) => {
    for (const fingerprint of [older, String(own), phone, tablet]) await add(fingerprint);
  };
  const requests: string[] = [];
  let added: Promise<void> | undefined;
  for (const route of ['nonce', 'devices', 'rename', 'detach', 'disown']) {
    playground.handlers[`/whorl/${route}`] = async (body, _ip, headers = new Headers()) => {
      requests.push(route);
      if (route === 'devices' && isLoggedIn) {
        added ??= addAll(body.fingerprint);
        await added;
      }
      const request = { method: 'POST', body: JSON.stringify(body), headers };
      return POST(new Request(`${playground.origin}/whorl/${route}`, request));
    };
  }
  const application = applications[name]?.(playground.code('docs/devices-page.md, On the page, 1'));
  if (!application) throw new Error(`There is no application with ${name}.`);
  await playground.openApplication({ ...application, ...changes });
  const count = async (status: 'attached' | 'detached' | 'blocked') =>
    (await whorl.users.devices(user, { status })).total;
  return { user, requests, count };
}

/** Presses a button of the device at a place in the list. */
function press(at: number, label: string): Promise<void> {
  return playground.page.evaluate(
    (index, text) => {
      const buttons = [...(document.querySelectorAll('li')[index]?.querySelectorAll('button') ?? [])];
      const button = buttons.find((each) => each.textContent === text);
      if (!button) throw new Error(`There is no ${text}, but: ${document.body.innerText}`);
      button.click();
    },
    at,
    label,
  );
}

const listed = () => playground.page.evaluate<number>("document.querySelectorAll('li').length");
const shown = (pattern: RegExp) => shows(playground.page, pattern);
const focused = () => playground.page.evaluate<string>('document.activeElement?.textContent ?? ""');
const setTheme = (theme: string) =>
  playground.page.evaluate((value) => {
    document.documentElement.style.colorScheme = value;
  }, theme);

/** Returns what axe finds, in both themes. */
async function violationsInBothThemes(): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['dark', 'light']) {
    await setTheme(theme);
    found.push(...(await violations(playground.page)));
  }
  return found;
}

/** Returns warnings and errors, without what React logs for its tools. */
async function problems() {
  return (await complaints(playground.page)).filter(({ kind }) => /^(?:warning|error|uncaught)$/.test(kind));
}

describeEngines('the list of devices', (engine) => {
  beforeAll(() => playground.use(engine));

  test.each(Object.keys(applications))('with %s: is accessible, and does what its buttons say', async (name) => {
    const { count } = await open(name);
    await shown(/This device[\s\S]*Last used: this minute/);
    expect(await listed()).toBe(4);
    expect(await violationsInBothThemes()).toEqual([]);

    await press(1, 'Rename');
    expect(await playground.page.evaluate('document.activeElement.localName')).toBe('input');
    expect(await violationsInBothThemes()).toEqual([]);
    await playground.page.press('M', 'i', 'n', 'e', 'Enter');
    await shown(/The name is saved\.[\s\S]*Mine/);
    expect(await focused()).toBe('Rename');

    await press(2, 'This was not me');
    await shown(/Block this device\?/);
    expect(await focused()).toBe('Cancel');
    expect(await violationsInBothThemes()).toEqual([]);
    await press(2, 'Cancel');
    expect(await focused()).toBe('This was not me');
    expect(await count('blocked')).toBe(0);
    await press(2, 'This was not me');
    await press(2, 'Block the device');
    await shown(/signed out and blocked\. Choose a new password now\./);
    expect([await listed(), await count('blocked')]).toEqual([3, 1]);

    await press(1, 'Sign out');
    await shown(/The device is signed out\./);
    expect([await listed(), await count('detached')]).toEqual([2, 1]);
    expect(await focused()).toBe('Your devices');
    expect(await violationsInBothThemes()).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  test('can be operated with the keyboard', async () => {
    await open('no framework');
    await shown(/Last used/);
    const { all, reached, unseen } = await tabThrough(playground.page);
    expect(reached).toEqual(all);
    expect(unseen).toEqual([]);
  });
});

describe.skipIf(!chromium.available())('the list of devices', () => {
  beforeAll(() => playground.use(chromium));

  test('has no "This was not me" for this device, and for one that was there before', async () => {
    await open('no framework');
    await shown(/Last used/);
    const buttons = await playground.page.evaluate<string[][]>(
      "[...document.querySelectorAll('li')].map((item) => [...item.querySelectorAll('button')].map((each) => each.textContent))",
    );
    const newer = ['Rename', 'Sign out', 'This was not me'];
    expect(buttons).toEqual([['Rename'], newer, newer, ['Rename', 'Sign out']]);
  });

  test('is in the language of the document, or of the option', async () => {
    const sample = playground.code('docs/devices-page.md, On the page, 1');
    const german = sample.replace('whorlPage())', "whorlPage(), { language: 'de-AT', className: 'own' })");
    await open('no framework', { code: german });
    await shown(/Ihre Geräte[\s\S]*Dieses Gerät[\s\S]*Das war ich nicht/);
    expect(await playground.page.evaluate("document.querySelector('.own').lang")).toBe('de');
    await open('no framework', { code: `document.documentElement.lang = 'de';\n${sample}` });
    await shown(/Ihre Geräte/);
    playground.handlers['/whorl/devices'] = () => Response.json({ code: 'not_logged_in' }, { status: 401 });
    await playground.page.reload();
    await shown(/Melden Sie sich zuerst an\./);
  });

  test('says that nobody is logged in, and tries again', async () => {
    const { requests } = await open('no framework', {}, false);
    await shown(/Log in first/);
    expect(await violationsInBothThemes()).toEqual([]);
    const before = requests.length;
    await playground.page.evaluate('document.querySelector(\'[data-name="retry"]\').click()');
    await until('The second request', () => requests.length > before || undefined);
  });

  test('says that there are none', async () => {
    await open('no framework');
    await shown(/Last used/);
    playground.handlers['/whorl/devices'] = () => ({ devices: [] });
    await playground.page.reload();
    await shown(/No device is signed in\./);
    expect(await violationsInBothThemes()).toEqual([]);
  });

  test('keeps a device, the question and what was typed if the server does not answer', async () => {
    const { count } = await open('no framework');
    await shown(/Last used/);
    playground.handlers['/whorl/disown'] = () => new Response('Bad gateway', { status: 502 });
    playground.handlers['/whorl/rename'] = () => new Response('Bad gateway', { status: 502 });
    await press(1, 'This was not me');
    await press(1, 'Block the device');
    await shown(/That did not work\. Try again in a moment\.[\s\S]*Block this device\?/);
    expect([await listed(), await count('blocked')]).toEqual([4, 0]);
    await press(1, 'Cancel');
    await press(0, 'Rename');
    await playground.page.press('H', 'o', 'm', 'e', 'Enter');
    await shown(/That did not work/);
    expect(await playground.page.evaluate("document.querySelector('input').value")).toBe('Home');
  });

  test('shows names and places as text', async () => {
    await open('no framework');
    await shown(/Last used/);
    const device = { id: '1', name: '<img src=x>', kind: 'mobile', os: '<b>', browser: 'unknown', last_seen_at: 0 };
    playground.handlers['/whorl/devices'] = () => ({
      devices: [{ ...device, place: { city: '<i>', country: 'nowhere' } }],
    });
    await playground.page.reload();
    await shown(/<img src=x>[\s\S]*<b> · <i>, nowhere/);
  });

  test.each(['React', 'Vue'])('is removed with its component: %s', async (name) => {
    await open(name);
    await shown(/Last used/);
    await playground.page.evaluate('app.unmount()');
    expect(await playground.page.evaluate("document.getElementById('devices').innerHTML")).toBe('');
    expect(await problems()).toEqual([]);
  });
});
