import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { violations } from './support/accessibility';
import { type RunningService, startRealService } from './support/service';
import { complaints } from './support/whorl';

/** The hosts of everything that the page has loaded. */
const hostsOf = (page: TestPage) =>
  page.evaluate<string[]>(
    "[...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin))]",
  );

/** For a test that opens each of 80 pages, on a busy machine. */
const slowMs = 300_000;

const colorSchemes = ['light', 'dark'] as const;

/** Needs `npm run site`. */
describe.skipIf(!chromium.available())('the documentation as a website', () => {
  let service: RunningService;
  const sessions = new Map<string, BrowserSession>();
  beforeAll(async () => {
    service = await startRealService({});
    sessions.set('light', await openSession(chromium));
    sessions.set('dark', await chromium.launch({ colorScheme: 'dark', drawnInSoftware: true }));
  });
  afterAll(async () => {
    for (const session of sessions.values()) await session.close();
    await service?.close();
  });

  /** Uses a new tab of the browser with a colour scheme, in a window of this size. */
  async function inTab(
    { width = 1440, height = 900, colorScheme = 'light' as (typeof colorSchemes)[number] },
    use: (page: TestPage) => Promise<void>,
  ): Promise<void> {
    const page = await sessions.get(colorScheme)?.open();
    if (!page) throw new Error(`There is no browser with the colour scheme ${colorScheme}`);
    try {
      await page.resize(width, height);
      await use(page);
    } finally {
      await page.close();
    }
  }

  test.each(colorSchemes)('is searched by keyboard, without axe violations: %s', (colorScheme) =>
    inTab({ colorScheme }, async (page) => {
      await page.goto(`${service.origin}/docs`);
      expect(await page.evaluate('location.pathname + document.title')).toBe('/docs/Whorl: documentation');
      expect(await violations(page)).toEqual([]);
      await page.press('/', ...'learning_days');
      await until('A result', () => page.evaluate("document.querySelector('#results a') ? true : undefined"));
      expect(await page.evaluate("document.querySelector('#found').textContent")).toMatch(/^12 of \d+ sections$/);
      expect(await page.evaluate("document.querySelector('#results mark').textContent")).toMatch(
        /^(?:learning|days?)$/i,
      );
      expect(await violations(page)).toEqual([]);
      expect(await hostsOf(page)).toEqual([service.origin]);
      expect(await complaints(page)).toEqual([]);
      await page.press('Tab');
      const chosen = await page.evaluate<string>("document.activeElement.querySelector('strong').textContent");
      const target = await page.evaluate<string>('document.activeElement.href');
      await page.press('Enter');
      const heading = await until('The section', () =>
        page.evaluate<string>(
          // A page as a whole has no anchor.
          `location.href === '${target}'
            ? (location.hash ? document.getElementById(location.hash.slice(1)) : document.querySelector('h1'))?.textContent
            : undefined`,
        ),
      );
      expect(heading).toBe(chosen);
    }),
  );

  test('shows the characters of samples in what it found', async () => {
    const found = await (await fetch(`${service.origin}/docs/search.json`)).text();
    expect(found.includes("settings set --project Shop mode '")).toBe(true);
    expect(found.match(/&#\w+;/g)).toBeNull();
  });

  test('finds pages by other names of what they describe, and in spite of typos', () =>
    inTab({}, async (page) => {
      const searches = {
        SSO: ['operating.html#sign-in-with-openid-connect', 'sign-in.html'],
        'test keys': ['api.html#requests'],
        'test mode': ['api.html#requests'],
        CSP: ['evaluate.html#in-a-page-with-a-bundler', 'troubleshooting.html#requests-fail'],
        '2FA': ['challenges.html'],
        'block an address': ['lists.html'],
        'blok an adress': ['lists.html'],
        'rate limit': ['api.html#rate-limits'],
        GDPR: ['law.html'],
        'acount takover': ['uses/account-takeover.html'],
      };
      await page.goto(`${service.origin}/docs/`);
      for (const [entered, expected] of Object.entries(searches)) {
        await page.press('/', ...entered);
        await until(`${expected} first, for ${entered}`, async () => {
          const links = "[...document.querySelectorAll('#results a')].map(({ href }) => href.split('/docs/')[1])";
          const first = (await page.evaluate<string[]>(links)).slice(0, expected.length);
          return expected.every((url) => first.some((found) => found.startsWith(url))) || undefined;
        });
        await page.press('Escape');
      }
    }));

  test.each([
    [360, 'light'],
    [390, 'dark'],
  ] as const)('fits on a phone of %i pixels, with its results: %s', (width, colorScheme) =>
    inTab({ width, height: 800, colorScheme }, async (page) => {
      for (const name of ['index', 'quick-start', 'settings', 'api', 'api/evaluations', 'types/whorl-server']) {
        await page.goto(`${service.origin}/docs/${name}.html`);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), name).toBe(false);
        expect(await violations(page), name).toEqual([]);
      }
      await page.press('/', ...'account');
      const box = "(() => { const { left, right } = document.querySelector('#results').getBoundingClientRect();";
      await until('A result', () => page.evaluate("document.querySelector('#results a') ? true : undefined"));
      expect(await page.evaluate(`${box} return left >= 0 && right <= innerWidth && right - left > 300; })()`)).toBe(
        true,
      );
    }),
  );

  test.each([1280, 1440])('says on the first screen what it is, shows it, and how to start: %i pixels', (width) =>
    inTab({ width }, async (page) => {
      await page.goto(`${service.origin}/docs/`);
      const shown = await page.evaluate<string[]>(`[...document.querySelectorAll('.front > *, .front a')]
        .filter((it) => it.getBoundingClientRect().bottom <= innerHeight)
        .map((it) => it.getAttribute('href') ?? it.textContent)`);
      const all = await page.evaluate<number>("document.querySelectorAll('.front > *, .front a').length");
      expect(shown).toHaveLength(all);
      expect(shown.some((text) => text.includes('whether it knows the browser'))).toBe(true);
      expect(shown.some((text) => text.includes('whorl.evaluate'))).toBe(true);
      expect(shown).toContain('quick-start.html');
      const isCut =
        "(() => { const it = document.querySelector('.front pre'); return it.scrollWidth > it.clientWidth; })()";
      expect(await page.evaluate(isCut)).toBe(false);
    }),
  );

  test('has its pages in groups, with the group of the current page open', () =>
    inTab({}, async (page) => {
      await page.goto(`${service.origin}/docs/api/devices.html`);
      const group = "document.querySelectorAll('nav details.group')";
      expect(await page.evaluate<number>(`${group}.length`)).toBeLessThan(10);
      expect(
        await page.evaluate(`[...${group}].filter(({ open }) => open).map((it) => it.firstChild.textContent)`),
      ).toEqual(['HTTP API']);
      expect(await page.evaluate("document.querySelector('nav [aria-current]').textContent")).toBe('Devices');
    }));

  test('leads through all pages with "next", and back with "previous"', async () => {
    const order = await pagesOf('index.html');
    let url = new URL(`${service.origin}/docs/`);
    for (const page of order) {
      const next = await linkOf(url, 'next');
      expect(next?.pathname).toBe(`/docs/${page}`);
      if (!next) return;
      if (page !== order[0]) expect((await linkOf(next, 'prev'))?.pathname).toBe(url.pathname);
      url = next;
    }
    expect(await linkOf(url, 'next')).toBeUndefined();
  });

  test('highlights code, and copies it', () =>
    inTab({}, async (page) => {
      await page.goto(`${service.origin}/docs/quick-start.html`);
      const blocks = await page.evaluate<number>("document.querySelectorAll('main pre').length");
      expect(blocks).toBeGreaterThan(5);
      expect(await page.evaluate("document.querySelectorAll('main .code button').length")).toBe(blocks);
      expect(await page.evaluate("document.querySelectorAll('main pre .hljs-keyword').length")).toBeGreaterThan(10);
      await page.evaluate("document.querySelector('main .code button').focus()");
      await page.press('Enter');
      const said = await until('An answer', () =>
        page.evaluate<string>(
          "/^Copied$|^Selected$/.exec(document.querySelector('main .code button').textContent)?.[0]",
        ),
      );
      // Without the permission, the code is selected, so that a key copies it.
      if (said === 'Selected') {
        expect(await page.evaluate('String(getSelection()).trim()')).toBe(
          await page.evaluate("document.querySelector('main pre').textContent.trim()"),
        );
      }
    }));

  test('links each heading to itself', async () => {
    const html = await (await fetch(`${service.origin}/docs/challenges.html`)).text();
    const headings = [...html.matchAll(/<h[23] id="([^"]+)">.*?<a class="anchor" href="#([^"]+)"/g)];
    expect(headings.length).toBeGreaterThan(5);
    for (const [, id, anchor] of headings) expect(anchor).toBe(id);
  });

  test('shows the HTTP API with its navigation, one page for each resource', async () => {
    const html = await (await fetch(`${service.origin}/docs/api`)).text();
    expect(html).toContain('<nav aria-label="Pages">');
    expect(html).toContain('id="error-rate_limited"');
    for (const resource of ['evaluations', 'devices', 'users', 'challenges', 'webhooks', 'legacy']) {
      expect(html, resource).toContain(`href="./api/${resource}.html"`);
    }
    const routes = [...html.matchAll(/<li><a href="(api\/\w+\.html)#(\w+)"><code>(?:GET|POST) /g)];
    expect(routes.length).toBeGreaterThan(30);
    for (const [, file, id] of routes) {
      const page = await fetch(`${service.origin}/docs/${file}`);
      expect(await page.text(), id).toContain(`<h2 id="${id}">`);
    }
  });

  test('serves pages with and without ".html"', async () => {
    for (const name of ['quick-start', 'uses/account-takeover', 'api/users']) {
      const [short, long] = await Promise.all(
        [name, `${name}.html`].map((path) => fetch(`${service.origin}/docs/${path}`)),
      );
      expect([short?.status, short?.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(short?.headers.get('content-security-policy')).toBe(long?.headers.get('content-security-policy'));
      expect(await short?.text()).toBe(await long?.text());
    }
  });

  /** Returns the pages of the navigation, in its order. */
  async function pagesOf(name: string): Promise<string[]> {
    const html = await (await fetch(`${service.origin}/docs/${name}`)).text();
    const [navigation = ''] = /<nav aria-label="Pages">.*?<\/nav>/s.exec(html) ?? [];
    return [...navigation.matchAll(/href="\.\/([^"]+)"/g)].map(([, page = '']) => page);
  }

  async function linkOf(url: URL, rel: 'next' | 'prev'): Promise<URL | undefined> {
    const html = await (await fetch(url)).text();
    const [, href] = new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(html) ?? [];
    return href === undefined ? undefined : new URL(href, url);
  }

  test(
    'loads every page and its images from the service alone, within its policy',
    () =>
      inTab({}, async (page) => {
        const pages = await pagesOf('index.html');
        expect(pages.length).toBeGreaterThan(40);
        for (const name of pages) {
          const url = `${service.origin}/docs/${name}`;
          await page.goto(url);
          const broken = await page.evaluate(
            '[...document.images].filter((it) => !it.naturalWidth).map(({ src }) => src)',
          );
          const hosts = await hostsOf(page);
          expect({ url, broken, hosts, said: await complaints(page) }).toEqual({
            url,
            broken: [],
            said: [],
            hosts: [service.origin],
          });
        }
      }),
    slowMs,
  );

  test('has a strict policy, and no address outside of its files', async () => {
    const { headers } = await fetch(`${service.origin}/docs/index.html`);
    expect(headers.get('content-security-policy')?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    for (const path of ['none.html', '..%2f..%2fpackage.json', 'uses%2f..%2findex.html', 'uses/none.html']) {
      expect((await fetch(`${service.origin}/docs/${path}`)).status, path).toBe(404);
    }
  });
});
