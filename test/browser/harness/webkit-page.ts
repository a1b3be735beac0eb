import { writeFile } from 'node:fs/promises';
import { moveWith } from './move';
import { resizeBy } from './resize';
import { fromOutcome, toExpression } from './script';
import type { ConsoleMessage, TestPage } from './types';
import type { WebDriver } from './webdriver';

export class WebKitPage implements TestPage {
  readonly #driver: WebDriver;
  readonly #window: string;

  constructor(driver: WebDriver, window: string) {
    this.#driver = driver;
    this.#window = window;
  }

  async goto(url: string): Promise<void> {
    await this.#driver.command(this.#window, 'POST', '/url', { url });
  }

  async reload(): Promise<void> {
    await this.#driver.command(this.#window, 'POST', '/refresh');
  }

  async evaluate<Result, Args extends unknown[] = unknown[]>(
    script: string | ((...args: Args) => Result | Promise<Result>),
    ...args: Args
  ): Promise<Result> {
    const body = `${toExpression(script, args)}.then(arguments[arguments.length - 1])`;
    const result = await this.#driver.command(this.#window, 'POST', '/execute/async', { script: body, args: [] });
    return fromOutcome<Result>(result);
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

  async screenshot(file: string): Promise<void> {
    const image = await this.#driver.command(this.#window, 'GET', '/screenshot');
    await writeFile(file, String(image), 'base64');
  }

  /** WebDriver has no console here: the server gives WebKit a script that keeps a list (console-for-webkit.ts). */
  messages(): Promise<ConsoleMessage[]> {
    return this.evaluate<ConsoleMessage[]>(`window[Symbol.for('harness.messages')] ?? []`);
  }

  async close(): Promise<void> {
    await this.#driver.command(this.#window, 'DELETE', '/window');
  }
}
