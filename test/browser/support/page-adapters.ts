import { join } from 'node:path';
import vuePlugin from '@vitejs/plugin-vue';
import { compile } from 'svelte/compiler';
import type { ChallengeWith } from 'whorl/next';
import { root } from '../../package/installed';
import type { TestPage } from '../harness/types';
import { until } from '../harness/until';
import { shows } from './demo';
import { submitForm } from './forms';
import type { PageModule, Playground } from './playground';
import { complaints } from './whorl';

/** The page of the docs. */
const docs = 'docs/adapters-pages.md';

/** Tests build for development, in which React runs effects twice in strict mode. */
const react18 = ['react', 'react-dom'].map((name) => ({
  find: new RegExp(`^${name}(?=/|$)`),
  replacement: join(root, 'test/react-18/node_modules', name),
}));
const vueFlags = { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' };

export const reactEntry = `import { createElement, StrictMode } from 'react';
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

/** The applications of the docs, by the name of their framework. */ export const adapterPages: Readonly<
  Record<string, (code: (name: string) => string) => PageModule>
> = {
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

let accounts = 0;

/** Returns the code of a sample of the docs of the page adapters. */
export const adapterSample = (playground: Playground, name: string) => playground.code(`${docs}, ${name}`);

/** Options of the adapter on the server. */
export interface OpenOptions {
  readonly baseUrl?: string;
  readonly challengeWith?: ChallengeWith;
}

/** Opens an application with a new account. */
export async function openAdapterPage(
  playground: Playground,
  name: string,
  changes: Partial<PageModule> = {},
  { baseUrl, challengeWith }: OpenOptions = {},
) {
  const id = `adapter-${++accounts}`;
  const email = `${id}@example.com`;
  const requests = await playground.serveLogin({ id, email }, baseUrl, challengeWith);
  const application = adapterPages[name]?.((sample) => adapterSample(playground, sample));
  if (!application) throw new Error(`There is no application with ${name}.`);
  await playground.openApplication({ ...application, ...changes });
  await until('The form', async () => (await playground.page.evaluate<boolean>('!!document.forms.login')) || undefined);
  const logIn = (password = 'right') => submitForm(playground.page, '#login', { email, password });
  const enter = (code: string) => submitForm(playground.page, 'form:has([name="code"])', { code });
  const count = (path: string) => requests.filter((each) => each === path).length;
  const shown = (pattern: RegExp) =>
    shows(playground.page, pattern).catch((error: Error) => {
      throw new Error(`${error.message}\nRequests: ${requests.join(' ')}`, { cause: error });
    });
  return { id, email, logIn, enter, count, shows: shown };
}

/** Returns another code than the right one. */
export const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

/** Returns warnings and errors, without the browser's own about the answers 401 and 403. */
export async function problems(page: TestPage) {
  const messages = await complaints(page);
  return messages.filter(({ kind, text }) => /^(?:warning|error|uncaught)$/.test(kind) && !/\b40[13]\b/.test(text));
}

/** Whether a code can be entered. */
export const isOffered = `!!document.querySelector('[name="code"]')?.checkVisibility()`;
