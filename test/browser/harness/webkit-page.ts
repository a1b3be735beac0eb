import { writeFile } from 'node:fs/promises';
import { chordOf } from './chord';
import { middleOf } from './middle';
import { moveWith } from './move';
import { resizeBy } from './resize';
import { ScriptedPage } from './scripted-page';
import type { ConsoleMessage, Key, TestPage } from './types';
import type { WebDriver } from './webdriver';

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS_WITHOUT_CHARACTER: Record<string, string> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Control: '\uE009',
  Escape: '\uE00C',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
};

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
    const act = (type: 'keyDown' | 'keyUp', key: string) => ({ type, value: KEYS_WITHOUT_CHARACTER[key] ?? key });
    const actions = keys.flatMap((key) => {
      const { held, pressed } = chordOf(key);
      const press = [act('keyDown', pressed), act('keyUp', pressed)];
      return held ? [act('keyDown', held), ...press, act('keyUp', held)] : press;
    });
    await this.#act({ type: 'key', id: 'keyboard', actions });
  }

  async click(selector: string): Promise<void> {
    const { x, y } = await middleOf(this, selector);
    const button = { button: 0 };
    const actions = [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', ...button },
      { type: 'pointerUp', ...button },
    ];
    await this.#act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }

  async #act(source: object): Promise<void> {
    await this.#driver.command(this.#window, 'POST', '/actions', { actions: [source] });
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
