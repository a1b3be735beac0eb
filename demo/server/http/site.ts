import type { IncomingMessage } from 'node:http';

/** Under which addresses pages and service are reached. */
export class Site {
  /** Host names, the one to tell people first. */
  readonly #names: readonly string[];
  readonly #port: number;
  readonly #servicePort: number;

  constructor(names: readonly string[], port: number, servicePort: number) {
    this.#names = names;
    this.#port = port;
    this.#servicePort = servicePort;
  }

  /** The address to tell people. */
  get url(): string {
    return this.#origin(this.#names[0] ?? 'localhost', this.#port);
  }

  /** The service's address for this server, and its name for itself. */
  get serviceUrl(): string {
    return this.#origin(this.#names[0] ?? 'localhost', this.#servicePort);
  }

  /** All origins of pages. */
  get origins(): string[] {
    return this.#names.map((name) => this.#origin(name, this.#port));
  }

  /** Whether it asks for a host that is ours. A foreign name that leads here is an attempt to be same-origin with us. */
  knows(request: IncomingMessage): boolean {
    return this.origins.includes(this.originOf(request));
  }

  originOf({ headers }: IncomingMessage): string {
    return `http://${headers.host ?? ''}`;
  }

  /** The service's address under the name by which the page was opened. */
  serviceOf({ headers }: IncomingMessage): string {
    return this.#origin((headers.host ?? '').replace(/:\d+$/, ''), this.#servicePort);
  }

  #origin(name: string, port: number): string {
    return `http://${name}${port === 80 ? '' : `:${port}`}`;
  }
}
