import type { Browser } from 'puppeteer-core';
import type { Position, Size } from './types';

interface Connection {
  send(method: string, params: object): Promise<unknown>;
}

/**
 * The browser's own window, which WebDriver BiDi can script since Firefox 140 (`moz:scope`). BiDi's own commands would
 * emulate a viewport and a pixel ratio instead.
 */
export class FirefoxWindow {
  readonly #connection: Connection;
  readonly #context: string;

  static async of(browser: Browser): Promise<FirefoxWindow> {
    // Exists in Puppeteer, but not in its types.
    const connection: unknown = Reflect.get(browser, 'connection');
    if (!isConnection(connection)) throw new Error('Puppeteer does not give its BiDi connection');
    const tree = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 });
    const context = /"context":"([^"]+)"/.exec(JSON.stringify(tree))?.[1];
    if (!context) throw new Error('Firefox does not list its own window: it must be version 140 or newer');
    return new FirefoxWindow(connection, context);
  }

  private constructor(connection: Connection, context: string) {
    this.#connection = connection;
    this.#context = context;
  }

  async setOuterSize({ width, height }: Size): Promise<void> {
    // Its style sheet has a minimum width, which is wider than a phone.
    await this.#run(`(document.documentElement.style.minWidth = '0', window.resizeTo(${width}, ${height}))`);
  }

  async setPosition({ x, y }: Position): Promise<void> {
    await this.#run(`window.moveTo(${x}, ${y})`);
  }

  /** Focuses the front tab, because new windows focus the address bar. */
  async focusPage(): Promise<void> {
    await this.#run('void gBrowser.selectedBrowser.focus()');
  }

  /** Sets the zoom of all sites, as on the settings page. */
  async setDefaultZoom(factor: number): Promise<void> {
    await this.#run(`new Promise((resolve) => {
      Cc['@mozilla.org/content-pref/service;1'].getService(Ci.nsIContentPrefService2)
        .setGlobal('browser.content.full-zoom', ${factor}, Cu.createLoadContext(), { handleCompletion: resolve });
    })`);
  }

  async #run(expression: string): Promise<void> {
    const answer = await this.#connection.send('script.evaluate', {
      expression: `(async () => { await ${expression}; })()`,
      target: { context: this.#context },
      awaitPromise: true,
    });
    const text = JSON.stringify(answer);
    if (text.includes('"exceptionDetails"')) throw new Error(`Firefox's window threw: ${text}`);
  }
}

function isConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'send' in value && typeof value.send === 'function';
}
