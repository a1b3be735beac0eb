import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, listCases } from '../../bench/identity/case-list.mjs';
import { type Judged, judgePair } from '../../bench/identity/judge.mjs';
import { type IdentityServer, startServer } from '../../bench/identity/server.mjs';
import { environmentOf } from '../../bench/identity/settings.mjs';
import { visits } from '../../bench/identity/visits.mjs';
import { compare, priors } from '../../src/fingerprint/compare';
import { facets } from '../../src/fingerprint/facets';
import { parse } from '../../src/fingerprint/parse';
import { describeEngines, engines } from './harness/engines';
import { openSession } from './harness/shared-browsers';

// The short form of bench/identity: some of its cases, in the installed engines, without peers and old builds.
const cases = listCases().filter(({ inShort }) => inShort);

const script = new URL('../../dist/whorl.min.js', import.meta.url);
/** A library after the first: each reading has a minute. A busy machine exceeds the default of 2 s. */
const patient = `{
  const { getComponents } = Whorl;
  Whorl = { ...Whorl, getComponents: (options) => getComponents({ timeoutMs: 60_000, ...options }) };
}`;
let server: IdentityServer;
beforeAll(async () => {
  server = await startServer({ whorl: await readFile(script, 'utf8'), patient });
});
afterAll(() => server.close());

/** Readings by case. A case and its reference often share a launch, which then happens once. */
const readings = new Map<string, Promise<Judged>>();

function readingOf(each: Case): Promise<Judged> {
  const { browser, launch, device, visit } = each;
  const key = JSON.stringify([browser, launch, device, visit]);
  const reading = readings.get(key) ?? read(each);
  readings.set(key, reading);
  return reading.then(({ fingerprint }) => ({ mayChange: [], ...each, fingerprint }));
}

async function read(each: Case): Promise<Judged> {
  const engine = engines.find(({ name }) => name === each.browser);
  if (!engine) throw new Error(`${each.id}: the short form has no such browser`);
  const environment = { ...each.launch?.environment, ...(await environmentOf(each.device ?? {})) };
  const session = await engine.launch({ ...each.launch, environment });
  try {
    const { fingerprint } = await visits[each.visit ?? 'page'](session, server);
    return { mayChange: [], ...each, fingerprint };
  } finally {
    await session.close();
  }
}

function referenceOf({ id, reference }: Case): Case {
  const found = cases.find((other) => other.id === reference);
  if (!found) throw new Error(`${id}: its reference is not in the short form`);
  return found;
}

describeEngines('identity', (engine) => {
  for (const each of cases.filter(({ browser, reference }) => browser === engine.name && reference)) {
    const available = engines.find(({ name }) => name === referenceOf(each).browser)?.available();
    test.skipIf(!available)(`${each.kind}: ${each.id}`, async () => {
      const reference = await readingOf(referenceOf(each));
      const verdict = judgePair(reference, await readingOf(each), { compare, priors, parse, facets });
      const same = each.kind === 'same';
      expect(verdict.hardware).toBe(same);
      if (same) expect(verdict.unlisted).toEqual([]);
      if (same) expect(verdict.confidence.user).toBeGreaterThan(0.5);
      else expect(verdict.confidence.project).toBeLessThan(0.5);
    });
  }

  test('reads memory from 8 GiB up, where an older version would not report 8 for it', async () => {
    const session = await openSession(engine);
    try {
      const page = await session.open();
      await page.goto(server.url('/page'));
      const read = (gib: number | undefined) =>
        page.evaluate(async (gib) => {
          Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => gib, configurable: true });
          return (await window.Whorl.getComponents()).facets.memoryFrom8 ?? '';
        }, gib);
      expect([await read(undefined), await read(4)]).toEqual(['', '']);
      expect([await read(16), await read(32)]).toEqual(['[16]', '[32]']);
      const version = parse((await page.evaluate(() => window.Whorl.getComponents())).fingerprint)?.descriptor
        .browserVersion;
      expect(await read(8)).toBe(Number(version) > 146 ? '[8]' : '');
    } finally {
      await session.close();
    }
  });
});
