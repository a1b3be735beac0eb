const COMMAND_TIMEOUT_MS = 60_000;
/** Without a usable display, the driver never responds to this request. */
const SESSION_TIMEOUT_MS = 30_000;

/** The few calls of W3C WebDriver (https://www.w3.org/TR/webdriver2/) that the harness needs. */
export class WebDriver {
  readonly #session: string;
  #last: Promise<unknown> = Promise.resolve();
  #window = '';

  static async open(url: string, browserOptions: { binary: string; args: string[] }): Promise<WebDriver> {
    const capabilities = {
      alwaysMatch: {
        'webkitgtk:browserOptions': browserOptions,
        timeouts: { script: COMMAND_TIMEOUT_MS, pageLoad: COMMAND_TIMEOUT_MS },
      },
    };
    const session = await request('POST', `${url}/session`, { capabilities }, SESSION_TIMEOUT_MS);
    const id = typeof session === 'object' && session !== null ? Reflect.get(session, 'sessionId') : undefined;
    if (typeof id !== 'string') throw new Error(`WebKitWebDriver gave no session: ${JSON.stringify(session)}`);
    return new WebDriver(`${url}/session/${id}`);
  }

  private constructor(session: string) {
    this.#session = session;
  }

  /** Runs a command in a window. Commands run one at a time, because the current window is state of the session. */
  command(window: string, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    return this.#inTurn(async () => {
      await this.#switchTo(window);
      return this.#send(method, path, body);
    });
  }

  async currentWindow(): Promise<string> {
    this.#window = String(await this.#send('GET', '/window'));
    return this.#window;
  }

  async newWindow(): Promise<string> {
    const window = await this.#inTurn(() => this.#send('POST', '/window/new', { type: 'window' }));
    return String(typeof window === 'object' && window !== null ? Reflect.get(window, 'handle') : '');
  }

  /** The session ends with its last window. */
  closeWindow(window: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#switchTo(window);
      const others = await this.#send('DELETE', '/window');
      // A window cannot be opened while the current one is closed.
      if (Array.isArray(others) && others.length > 0) await this.#switchTo(String(others[0]));
    });
  }

  async close(): Promise<void> {
    await this.#send('DELETE', '');
  }

  async #switchTo(window: string): Promise<void> {
    if (this.#window !== window) await this.#send('POST', '/window', { handle: window });
    this.#window = window;
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(act, act);
    this.#last = result.catch(() => {});
    return result;
  }

  #send(method: string, path: string, body?: object): Promise<unknown> {
    return request(method, `${this.#session}${path}`, body, COMMAND_TIMEOUT_MS);
  }
}

async function request(method: string, url: string, body: object | undefined, timeoutMs: number): Promise<unknown> {
  const sent = method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {};
  const response = await fetch(url, { method, ...sent, signal: AbortSignal.timeout(timeoutMs) }).catch((cause) => {
    throw new Error(`WebKitWebDriver did not answer ${method} ${new URL(url).pathname} in ${timeoutMs} ms`, { cause });
  });
  const answer: unknown = await response.json();
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'value') : undefined;
  if (!response.ok) throw new Error(`WebKitWebDriver refused ${method} ${url}: ${JSON.stringify(value)}`);
  return value;
}
