import type { CDPSession, Page } from 'playwright';
import { toKind } from './messages';
import { middleOf } from './middle';
import { moveWith } from './move';
import { resizeBy } from './resize';
import { ScriptedPage } from './scripted-page';
import type { Authenticator, ConsoleMessage, Key, LaunchOptions, Passkey, TestPage } from './types';

/** A warning of Chromium about WebGL that is read, if it draws pages without WebGL. */
const SOFTWARE_WARNING = 'GPU stall due to ReadPixels';

export class ChromiumPage extends ScriptedPage implements TestPage {
  readonly #page: Page;
  readonly #devtools: CDPSession;
  #messages: ConsoleMessage[] = [];

  static async attach(page: Page, options: LaunchOptions = {}): Promise<ChromiumPage> {
    return new ChromiumPage(page, await page.context().newCDPSession(page), options);
  }

  private constructor(page: Page, devtools: CDPSession, { drawnInSoftware }: LaunchOptions) {
    super();
    this.#page = page;
    this.#devtools = devtools;
    page.on('console', (message) => {
      // The end of a group writes nothing to the console.
      if (message.type() === 'endGroup') return;
      if (drawnInSoftware && message.text().includes(SOFTWARE_WARNING)) return;
      this.#messages.push({ kind: toKind(message.type()), text: message.text() });
    });
    page.on('pageerror', (error) => this.#messages.push({ kind: 'uncaught', text: `${error.name}: ${error.message}` }));
  }

  async goto(url: string): Promise<void> {
    this.#messages = [];
    await this.#page.goto(url);
  }

  async reload(): Promise<void> {
    this.#messages = [];
    await this.#page.reload();
  }

  /** By the DevTools protocol itself: Playwright's own evaluate uses eval() in the page, which a strict CSP forbids. */
  protected async run(expression: string): Promise<unknown> {
    const { result } = await this.#devtools.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      // Otherwise eval() would be allowed here, and the page would be tested under a laxer policy than its own.
      allowUnsafeEvalBlockedByCSP: false,
    });
    return result.value ?? result.description;
  }

  async resize(width: number, height: number): Promise<void> {
    const { windowId } = await this.#devtools.send('Browser.getWindowForTarget');
    await resizeBy(this, { width, height }, async (outer) => {
      await this.#devtools.send('Browser.setWindowBounds', { windowId, bounds: outer });
    });
  }

  async moveTo(x: number, y: number): Promise<void> {
    const { windowId } = await this.#devtools.send('Browser.getWindowForTarget');
    await moveWith(this, { x, y }, async () => {
      await this.#devtools.send('Browser.setWindowBounds', { windowId, bounds: { left: x, top: y } });
    });
  }

  async press(...keys: Key[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async click(selector: string): Promise<void> {
    const { x, y } = await middleOf(this, selector);
    await this.#page.mouse.click(x, y);
  }

  async screenshot(file: string): Promise<void> {
    await this.#page.screenshot({ path: file });
  }

  async messages(): Promise<ConsoleMessage[]> {
    // Events arrive in order: this response comes after all earlier messages.
    await this.evaluate('0');
    return [...this.#messages];
  }

  async addAuthenticator(passkeys: readonly Passkey[] = []): Promise<Authenticator> {
    await this.#devtools.send('WebAuthn.enable');
    const { authenticatorId } = await this.#devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    for (const credential of passkeys) {
      await this.#devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
    return {
      passkeys: async () => (await this.#devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    };
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}
