import { type FacetName, facets } from '../../../src/fingerprint/facets';
import { parse } from '../../../src/fingerprint/parse';
import type { Components, GetHashOptions, HashPair } from '../../../src/index';
import type { ConsoleMessage, TestPage } from '../harness/types';

declare global {
  interface Window {
    Whorl: typeof import('../../../src/index');
  }
}

/** What a busy machine needs: each reading has a minute instead of 2 s. */
const patient = { timeoutMs: 60_000 };

/** Adds the script tag to the page and waits for its onload. */
export function load(page: TestPage): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        // Some pages already contain the tag.
        if (window.Whorl) return resolve();
        const script = document.createElement('script');
        script.src = '/dist/whorl.min.js';
        script.onload = () => resolve();
        script.onerror = () => reject(new Error('The script did not load'));
        document.head.append(script);
      }),
  );
}

/**
 * Lets the package wait for IndexedDB in this page for 80 s instead of 200 ms, which a busy machine can exceed, until
 * the page is left.
 */
export function waitLongerForIndexedDb(page: TestPage): Promise<void> {
  return prolong(page, 25);
}

/** Lets the package wait for its own messages for 10 s instead of 50 ms, until the page is left. */
export function waitLongerForMessages(page: TestPage): Promise<void> {
  return prolong(page, 50);
}

/** Prolongs the timers of one duration to 10 s. */
function prolong(page: TestPage, shortMs: number): Promise<void> {
  return page.evaluate((short) => {
    const start = window.setTimeout;
    const patient = (act: () => void, ms?: number) => start(act, ms === short ? 10_000 : ms);
    Object.defineProperty(window, 'setTimeout', { value: patient });
  }, shortMs);
}

/** Opens a URL, loads the package there and returns `[current, last]`, as `getHash` below does. */
export async function visit(page: TestPage, url: string, options: GetHashOptions = {}): Promise<HashPair> {
  await page.goto(url);
  await load(page);
  return getHash(page, options);
}

/** Returns `[current, last]`. Each reading has a minute, unless `options` say otherwise. */
export function getHash(page: TestPage, options: GetHashOptions = {}): Promise<HashPair> {
  return page.evaluate((given) => window.Whorl.getHash(given), { ...patient, ...options });
}

/** Returns the components. The reading has a minute, unless `options` say otherwise. */
export function getComponents(page: TestPage, options: GetHashOptions = {}): Promise<Components> {
  return page.evaluate((given) => window.Whorl.getComponents(given), { ...patient, ...options });
}

/** Returns the names of all facets whose digests differ. */
export function differences(a: string, b: string): FacetName[] {
  const left = digestsOf(a);
  const right = digestsOf(b);
  return facets.map(({ name }) => name).filter((name) => left[name] !== right[name]);
}

/** Returns the names of the unreadable facets. */
export function unreadableFacets(fingerprint: string): FacetName[] {
  const digests = digestsOf(fingerprint);
  return facets.map(({ name }) => name).filter((name) => digests[name] === '~~~~');
}

function digestsOf(fingerprint: string): Readonly<Record<FacetName, string>> {
  const parsed = parse(fingerprint);
  if (!parsed) throw new Error(`Not a fingerprint: ${fingerprint}`);
  return parsed.facets;
}

/** Returns the messages of the page's console, except the browser's own failure to load a tab icon. */
export async function complaints(page: TestPage): Promise<ConsoleMessage[]> {
  return (await page.messages()).filter(({ text }) => !text.includes('favicon.ico'));
}
