import { writeFile } from 'node:fs/promises';
import type { KeyInput, Page } from 'puppeteer-core';
import { chordOf } from './chord';
import type { FirefoxWindow } from './firefox-window';
import { toKind } from './messages';
import { middleOf } from './middle';
import { moveWith } from './move';
import { resizeBy } from './resize';
import { ScriptedPage } from './scripted-page';
import type { ConsoleMessage, Key, TestPage } from './types';

export class FirefoxPage extends ScriptedPage implements TestPage {
  readonly #page: Page;
  readonly #window: FirefoxWindow;
  #messages: ConsoleMessage[] = [];

  constructor(page: Page, window: FirefoxWindow) {
    super();
    this.#page = page;
    this.#window = window;
    page.on('console', (message) => this.#messages.push({ kind: toKind(message.type()), text: message.text() }));
    page.on('pageerror', (error) => this.#messages.push(toMessage(error)));
  }

  async goto(url: string): Promise<void> {
    this.#messages = [];
    await this.#page.goto(url);
  }

  async reload(): Promise<void> {
    this.#messages = [];
    await this.#page.reload();
  }

  protected run(expression: string): Promise<unknown> {
    return this.#page.evaluate(expression);
  }

  resize(width: number, height: number): Promise<void> {
    return resizeBy(this, { width, height }, (outer) => this.#window.setOuterSize(outer));
  }

  moveTo(x: number, y: number): Promise<void> {
    return moveWith(this, { x, y }, (position) => this.#window.setPosition(position));
  }

  async press(...keys: Key[]): Promise<void> {
    await this.#page.bringToFront();
    await this.#window.focusPage();
    const { keyboard } = this.#page;
    for (const key of keys) {
      const { held, pressed } = chordOf(key);
      if (held) await keyboard.down(held);
      await keyboard.press(pressed as KeyInput);
      if (held) await keyboard.up(held);
    }
  }

  async click(selector: string): Promise<void> {
    const { x, y } = await middleOf(this, selector);
    await this.#page.mouse.click(x, y);
  }

  async screenshot(file: string): Promise<void> {
    await writeFile(file, await this.#page.screenshot());
  }

  async messages(): Promise<ConsoleMessage[]> {
    // Events arrive in order: this response comes after all earlier messages.
    await this.evaluate('0');
    return [...this.#messages];
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}

/** Thrown values and policy reports arrive as an Error whose message starts with the real name. */
function toMessage(error: unknown): ConsoleMessage {
  const text = error instanceof Error ? error.message : String(error);
  return { kind: text.startsWith('Content-Security-Policy') ? 'error' : 'uncaught', text };
}
