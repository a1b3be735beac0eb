import { writeFile } from 'node:fs/promises';
import { toKind } from './messages';
import { ScriptedPage } from './scripted-page';
import type { ConsoleMessage, TestPage } from './types';
import { until, within } from './until';
import { type Json, PageLeft, toJson, WebKitInspector } from './webkit-inspector';

const LOAD_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 1_000;

/** Start page of each window. Before that, the window briefly has an empty document without this hash. */
export const START_PAGE = 'about:blank#started';

export class WebKitInspectedPage extends ScriptedPage implements TestPage {
  readonly #inspector: WebKitInspector;
  #messages: ConsoleMessage[];

  static async connect(url: string): Promise<WebKitInspectedPage> {
    const messages: ConsoleMessage[] = [];
    let add = (message: ConsoleMessage) => messages.push(message);
    const inspector = await WebKitInspector.connect(url, ['Console', 'Runtime', 'Page'], (method, params) => {
      if (method === 'Console.messageAdded') add(toMessage(toJson(params.message)));
    });
    const page = new WebKitInspectedPage(inspector, messages);
    add = (message) => page.#messages.push(message);
    await page.#untilTrue('The start of a page', `location.hash === '#started'`);
    return page;
  }

  private constructor(inspector: WebKitInspector, messages: ConsoleMessage[]) {
    super();
    this.#inspector = inspector;
    this.#messages = messages;
  }

  goto(url: string): Promise<void> {
    return this.#load(`location.href = ${JSON.stringify(url)}`);
  }

  reload(): Promise<void> {
    return this.#load('location.reload()');
  }

  protected async run(expression: string): Promise<unknown> {
    const started = await this.#inspector.send('Runtime.evaluate', { expression, emulateUserGesture: false });
    const promiseObjectId = toJson(started.result).objectId;
    const settled = await this.#inspector.send('Runtime.awaitPromise', { promiseObjectId, returnByValue: true });
    return toJson(settled.result).value;
  }

  /** Not supported: neither the page nor the inspector can do this in MiniBrowser. */
  resize(): Promise<void> {
    return Promise.reject(new Error('WebKit with a kept profile cannot be resized'));
  }

  /** Not supported either. */
  moveTo(): Promise<void> {
    return Promise.reject(new Error('WebKit with a kept profile cannot be moved'));
  }

  /** Not supported: the inspector cannot send keys. */
  press(): Promise<void> {
    return Promise.reject(new Error('WebKit with a kept profile takes no keys'));
  }

  /** Not supported either. */
  click(): Promise<void> {
    return Promise.reject(new Error('WebKit with a kept profile takes no clicks'));
  }

  async screenshot(file: string): Promise<void> {
    const [width, height] = await this.evaluate<[number, number]>('[innerWidth, innerHeight]');
    const area = { x: 0, y: 0, width, height, coordinateSystem: 'Viewport' };
    const { dataURL } = await this.#inspector.send('Page.snapshotRect', area);
    await writeFile(file, String(dataURL).replace(/^.*,/, ''), 'base64');
  }

  async messages(): Promise<ConsoleMessage[]> {
    await this.evaluate('0');
    return [...this.#messages];
  }

  /** A window that has navigated may refuse to close, but then at least leaves the document. */
  async close(): Promise<void> {
    const left = this.#inspector.send('Runtime.evaluate', { expression: "close(); location.replace('about:blank')" });
    // A page that is closing may not respond.
    await within('An answer', ANSWER_TIMEOUT_MS, left).catch(() => {});
    this.#inspector.close();
  }

  /** Disconnects from the page without closing it. */
  disconnect(): void {
    this.#inspector.close();
  }

  /** The new document is identified by its time origin, and is loaded when its load event has ended. */
  async #load(navigation: string): Promise<void> {
    this.#messages = [];
    const before = await this.evaluate<number>('performance.timeOrigin');
    // Not by evaluate(), whose promise would be lost with the page. The page may also leave before it responds.
    const left = this.#inspector.send('Runtime.evaluate', { expression: `void (${navigation})` });
    await left.catch((error) => {
      if (!(error instanceof PageLeft)) throw error;
    });
    const loaded = `performance.timeOrigin !== ${before} && performance.getEntriesByType('navigation')[0].loadEventEnd > 0`;
    await this.#untilTrue(`The load after ${navigation}`, loaded);
  }

  /** A request to a document that is being replaced may get no response, so each has its own timeout. */
  async #untilTrue(what: string, condition: string): Promise<void> {
    const ask = async () =>
      (await within('An answer', ANSWER_TIMEOUT_MS, this.evaluate<boolean>(condition))) || undefined;
    await until(what, ask, { timeoutMs: LOAD_TIMEOUT_MS });
  }
}

function toMessage({ source, level, text, parameters }: Json): ConsoleMessage {
  if (source === 'javascript' && level === 'error') return { kind: 'uncaught', text: String(text) };
  const parts: unknown[] = Array.isArray(parameters) ? parameters : [];
  const shown = parts.map(toJson).map(({ value, description }) => String(value ?? description));
  return { kind: toKind(String(level)), text: shown.length > 0 ? shown.join(' ') : String(text) };
}
