import { beforeAll, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import { startServer, type TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { builds, generatePages, isInstalled, libraries, orders, pathOf, plainPath } from './support/libraries';
import { openPage } from './support/session';
import { differences } from './support/whorl';

let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  files = await generatePages();
});

describeEngines('a page with other scripts', (engine) => {
  let server: TestServer;
  let page: TestPage;
  let plain: string;

  beforeAll(async () => {
    const opened = await openPage(engine, () => startServer(files));
    ({ server, page } = opened);
    plain = await fingerprintOf(plainPath);
    return opened.close;
  });

  /** Opens a page and returns the fingerprint that it sends, because a library may change what a driver needs. */
  async function fingerprintOf(path: string): Promise<string> {
    server.forget();
    await page.goto(server.url(path));
    const sent = await until(
      'The reading',
      () => server.requests().find((request) => /^\/(?:read|failed)\?/.test(request.path))?.path,
    );
    if (!sent.startsWith('/read?')) throw new Error(decodeURIComponent(sent));
    return sent.replace('/read?', '');
  }

  const cases = libraries.flatMap((library) =>
    builds.flatMap((build) => orders.map((order) => ({ library, build, order, name: library.name }))),
  );
  test.for(cases)('$name, $order the package by $build.name', async ({ library, build, order }, { skip }) => {
    if (!isInstalled(library)) skip('It is not installed.');
    const fingerprint = await fingerprintOf(pathOf(library, order, build));
    expect(differences(plain, fingerprint)).toEqual([]);
    // With the integrity facet: none of these libraries looks like automation or tampering.
    expect(fingerprint).toBe(plain);
  });
});
