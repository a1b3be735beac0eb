import { found } from './found';
import { freePort } from './free-port';
import { startTethered } from './tethered-process';
import type { BrowserSession } from './types';
import { until } from './until';
import { START_PAGE, WebKitInspectedPage } from './webkit-inspected-page';

/**
 * MiniBrowser writes no profile under automation. Without automation it does, and its inspector, served over HTTP,
 * controls its pages. navigator.webdriver is false here.
 */
export async function launchWithProfile(
  args: string[],
  environment: NodeJS.ProcessEnv,
  dispose: () => Promise<void>,
): Promise<BrowserSession> {
  const address = `127.0.0.1:${await freePort()}`;
  const settings = ['--enable-developer-extras=true', '--javascript-can-open-windows-automatically=true'];
  const browser = startTethered(found('minibrowser'), [...settings, ...args, START_PAGE], {
    ...environment,
    WEBKIT_INSPECTOR_HTTP_SERVER: address,
  });
  browser.stdout.resume();
  browser.stderr.resume();
  const pages: WebKitInspectedPage[] = [];
  const close = async () => {
    for (const page of pages) page.disconnect();
    await browser.end();
    await dispose();
  };
  try {
    const [first] = await newSockets(address, new Set());
    pages.push(await WebKitInspectedPage.connect(`ws://${address}${first}`));
  } catch (error) {
    await close();
    throw error;
  }
  return toSession(address, pages, close);
}

function toSession(address: string, pages: WebKitInspectedPage[], close: () => Promise<void>): BrowserSession {
  let opened = 0;
  return {
    engine: 'webkit',
    async open(url) {
      if (opened++ > 0) pages.push(await openAnother(address, pages));
      const page = pages.at(-1);
      if (!page) throw new Error('WebKit opened no page');
      if (url) await page.goto(url);
      return page;
    },
    close,
  };
}

async function openAnother(address: string, pages: WebKitInspectedPage[]): Promise<WebKitInspectedPage> {
  const known = new Set(await newSockets(address, new Set()));
  await pages[0]?.evaluate(`void open('${START_PAGE}', '_blank', 'noopener')`);
  const [path] = await newSockets(address, known);
  return WebKitInspectedPage.connect(`ws://${address}${path}`);
}

/** The inspector lists its targets on a page; each has the address of its socket there. */
function newSockets(address: string, known: Set<string>): Promise<string[]> {
  return until('A page in the list of the inspector', async () => {
    const list = await (await fetch(`http://${address}/`)).text();
    const paths = (list.match(/\/socket\/\d+\/\d+\/WebPage/g) ?? []).filter((path) => !known.has(path));
    return paths.length > 0 ? paths : undefined;
  });
}
