import { writeFile } from 'node:fs/promises';
import { moveWith } from './move';
import { resizeBy } from './resize';
import { ScriptedPage } from './scripted-page';
import type { ConsoleMessage, Key, TestPage } from './types';
import type { WebDriver } from './webdriver';

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS_WITHOUT_CHARACTER: Record<string, string> = { Tab: '\uE004', Enter: '\uE007' };

export class WebKitPage extends ScriptedPage implements TestPage {
  readonly #driver: WebDriver;
  readonly #window: string;

  constructor(driver: WebDriver, window: string) {
    super();
    this.#driver = driver;
    this.#window = window;
  }

  async goto(url: string): Promise<void> {
    await this.#driver.command(this.#window, 'POST', '/url', { url });
  }

  async reload(): Promise<void> {
    await this.#driver.command(this.#window, 'POST', '/refresh');
  }

  protected run(expression: string): Promise<unknown> {
    const script = `${expression}.then(arguments[arguments.length - 1])`;
    return this.#driver.command(this.#window, 'POST', '/execute/async', { script, args: [] });
  }

  resize(width: number, height: number): Promise<void> {
    return resizeBy(this, { width, height }, async (outer) => {
      await this.#driver.command(this.#window, 'POST', '/window/rect', outer);
    });
  }

  moveTo(x: number, y: number): Promise<void> {
    return moveWith(this, { x, y }, async (position) => {
      await this.#driver.command(this.#window, 'POST', '/window/rect', position);
    });
  }

  async press(...keys: Key[]): Promise<void> {
    const actions = keys.flatMap((key) =>
      ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS_WITHOUT_CHARACTER[key] ?? key })),
    );
    const body = { actions: [{ type: 'key', id: 'keyboard', actions }] };
    await this.#driver.command(this.#window, 'POST', '/actions', body);
  }

  async screenshot(file: string): Promise<void> {
    const image = await this.#driver.command(this.#window, 'GET', '/screenshot');
    await writeFile(file, String(image), 'base64');
  }

  /**
   * WebDriver has no console here: the server adds a script to WebKit's pages that records messages
   * (console-for-webkit.ts).
   */
  messages(): Promise<ConsoleMessage[]> {
    return this.evaluate<ConsoleMessage[]>(`window[Symbol.for('harness.messages')] ?? []`);
  }

  close(): Promise<void> {
    return this.#driver.closeWindow(this.#window);
  }
}
