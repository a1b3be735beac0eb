import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage, runModule, runNode } from './installed.js';

const pageEntryPoints = ['whorl', 'whorl/fingerprint', 'whorl/picture', 'whorl/wire', 'whorl/page', 'whorl/react'];
const entryPoints = [...pageEntryPoints, 'whorl/server', 'whorl/express', 'whorl/fastify', 'whorl/hono', 'whorl/next'];
const quiet = { code: 0, stdout: '', stderr: '' };

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage(['react', 'react-dom', 'vue']);
});

afterAll(() => installed?.remove());

describe.each(entryPoints)('import %s', (entryPoint) => {
  test('does nothing in plain Node', async () => {
    expect(await runModule(installed.folder, `await import('${entryPoint}');`)).toEqual(quiet);
  });

  test('does not change the globals', async () => {
    const text = `
      const names = () => Reflect.ownKeys(globalThis).length;
      const before = names();
      await import('${entryPoint}');
      process.exitCode = names() - before;
    `;
    expect(await runModule(installed.folder, text)).toEqual(quiet);
  });
});

describe.each(pageEntryPoints)('import %s', (entryPoint) => {
  test('does not change an existing page', async () => {
    const text = `
      const touched = [];
      const names = ['document', 'window', 'self', 'navigator', 'screen', 'localStorage', 'indexedDB', 'Worker'];
      for (const name of names) {
        Object.defineProperty(globalThis, name, { configurable: true, get: () => void touched.push(name) });
      }
      await import('${entryPoint}');
      console.log(touched.join());
    `;
    expect(await runModule(installed.folder, text)).toEqual({ ...quiet, stdout: '\n' });
  });
});

describe.each(['collect', 'getHash', 'getProof', 'getComponents', 'identify', 'evaluate', 'prepare'])(
  '%s()',
  (name) => {
    const call = `
    import * as whorl from 'whorl';
    console.warn = () => undefined;
    const error = await whorl.${name}().then(() => 'resolved', (reason) => reason);
    const report = [error instanceof whorl.WhorlError, error.name, error.code].join();
  `;
    const expected = 'true,WhorlError,not_in_browser';

    test('rejects in plain Node', async () => {
      expect(await runModule(installed.folder, `${call} console.log(report);`)).toEqual({
        ...quiet,
        stdout: `${expected}\n`,
      });
    });

    test('rejects in a worker', async () => {
      const worker = `import { parentPort } from 'node:worker_threads'; ${call} parentPort.postMessage(report);`;
      const main = `
      import { Worker } from 'node:worker_threads';
      const started = new Worker(new URL('worker-${name}.js', import.meta.url));
      started.on('message', (report) => console.log(report)).on('error', (error) => console.error(error));
    `;
      writeFileSync(join(installed.folder, `worker-${name}.js`), worker);
      writeFileSync(join(installed.folder, `main-${name}.js`), main);
      const outcome = await runNode(installed.folder, `main-${name}.js`);
      expect(outcome).toEqual({ ...quiet, stdout: `${expected}\n` });
    });
  },
);

test('the list of reasons can be read on a server', async () => {
  const text = `
    import { reasons } from 'whorl/wire';
    console.log(reasons[0], new Set(reasons).size === reasons.length);
  `;
  expect(await runModule(installed.folder, text)).toEqual({ ...quiet, stdout: 'new_device true\n' });
});

test('pure functions work on a server', async () => {
  const text = `
    import { compare, parse } from 'whorl/fingerprint';
    import { pictureOf } from 'whorl/picture';
    const one = 'w1.dlc141.' + 'A'.repeat(28) + '.' + 'B'.repeat(36) + '.' + 'C'.repeat(20) + '.AAAA';
    console.log(compare(one, one).same, parse(one).descriptor.os, pictureOf(one).slice(0, 4));
  `;
  expect(await runModule(installed.folder, text)).toEqual({ ...quiet, stdout: 'true Linux <svg\n' });
});

test('a component that uses the package renders on a server', async () => {
  const text = `
    import { createElement, useEffect } from 'react';
    import { renderToString } from 'react-dom/server';
    import { getHash } from 'whorl';
    function Visitor() {
      useEffect(() => void getHash());
      return createElement('p', null, 'hello');
    }
    console.log(renderToString(createElement(Visitor)));
  `;
  expect(await runModule(installed.folder, text)).toEqual({ ...quiet, stdout: '<p>hello</p>\n' });
});

test('the forms of the adapters render on a server', async () => {
  const text = `
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    import { createSSRApp, h } from 'vue';
    import { renderToString as renderVue } from 'vue/server-renderer';
    import * as react from 'whorl/react';
    import * as vue from 'whorl/vue';
    const Login = () => createElement('p', null, String(react.useWhorl().isPending));
    const form = createElement(react.ChallengeForm);
    console.log(renderToString(createElement(react.WhorlProvider, null, createElement(Login), form)));
    const VueLogin = { setup: () => vue.useWhorl(), render: ({ isPending }) => h('p', isPending) };
    const app = createSSRApp({ render: () => [h(VueLogin), h(vue.ChallengeForm)] });
    console.log(await renderVue(app.use(vue.whorlVue())));
  `;
  const { code, stdout, stderr } = await runModule(installed.folder, text);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^<p>false<\/p>\n<!--\[--><p>false<\/p><!--.*-->\n$/);
});

describe('whorl.min.js', () => {
  test('does nothing in Node', async () => {
    expect(await runNode(installed.folder, 'node_modules/whorl/dist/whorl.min.js')).toEqual(quiet);
  });

  test.each<[string, object]>([
    ['no globals', {}],
    ['a self of another name', { self: { name: 'somebody else' }, postMessage: fail }],
  ])('does nothing in a context with %s', (_, globals) => {
    const context: Record<string, unknown> = { ...globals };
    const names = Object.keys(context);
    runInNewContext(readFileSync(join(installed.packageFolder, 'dist/whorl.min.js'), 'utf8'), context);
    expect(Object.keys(context)).toEqual(names);
  });
});

function fail(): never {
  throw new Error('This must not be called.');
}
