import { type FacetName, facets } from '../../../src/fingerprint/facets';
import { parse } from '../../../src/fingerprint/parse';
import type { Components, GetHashOptions, HashPair } from '../../../src/index';
import type { ConsoleMessage, TestPage } from '../harness/types';

declare global {
  interface Window {
    Whorl: typeof import('../../../src/index');
  }
}

/** Adds the script tag to the page and waits for its onload. */
export function load(page: TestPage): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        // Some pages bring the tag themselves.
        if (window.Whorl) return resolve();
        const script = document.createElement('script');
        script.src = '/dist/whorl.min.js';
        script.onload = () => resolve();
        script.onerror = () => reject(new Error('The script did not load'));
        document.head.append(script);
      }),
  );
}

/** Opens an address, loads the package there, and answers `[current, last]`. */
export async function visit(page: TestPage, url: string, options: GetHashOptions = {}): Promise<HashPair> {
  await page.goto(url);
  await load(page);
  return getHash(page, options);
}

export function getHash(page: TestPage, options: GetHashOptions = {}): Promise<HashPair> {
  return page.evaluate((given) => window.Whorl.getHash(given), options);
}

export function getComponents(page: TestPage, options: GetHashOptions = {}): Promise<Components> {
  return page.evaluate((given) => window.Whorl.getComponents(given), options);
}

/** The names of all facets whose digests are not the same characters. */
export function differences(a: string, b: string): FacetName[] {
  const left = digestsOf(a);
  const right = digestsOf(b);
  return facets.map(({ name }) => name).filter((name) => left[name] !== right[name]);
}

/** The names of the facets that could not be read. */
export function unreadableFacets(fingerprint: string): FacetName[] {
  const digests = digestsOf(fingerprint);
  return facets.map(({ name }) => name).filter((name) => digests[name] === '~~~~');
}

function digestsOf(fingerprint: string): Readonly<Record<FacetName, string>> {
  const parsed = parse(fingerprint);
  if (!parsed) throw new Error(`Not a fingerprint: ${fingerprint}`);
  return parsed.facets;
}

/** What the page's console has, but for the browser's own trouble in getting an icon for the tab. */
export async function complaints(page: TestPage): Promise<ConsoleMessage[]> {
  return (await page.messages()).filter(({ text }) => !text.includes('favicon.ico'));
}
