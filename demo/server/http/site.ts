/** The URLs of the pages and the service. A `host` is the `Host` header of a request. */
export class Site {
  /** The host names. The first one is shown to people. */
  readonly #names: readonly string[];
  readonly #port: number;
  readonly #servicePort: number;

  constructor(names: readonly string[], port: number, servicePort: number) {
    this.#names = names;
    this.#port = port;
    this.#servicePort = servicePort;
  }

  /** The pages' URL that is shown to people. */
  get url(): string {
    return this.#origin(this.#names[0] ?? 'localhost', this.#port);
  }

  /** The service's URL for this server, and for links that the service writes. */
  get serviceUrl(): string {
    return this.#origin(this.#names[0] ?? 'localhost', this.#servicePort);
  }

  /** All origins of pages. */
  get origins(): string[] {
    return this.#names.map((name) => this.#origin(name, this.#port));
  }

  isKnownHost(host: string | undefined): boolean {
    return this.origins.includes(this.originOf(host));
  }

  originOf(host = ''): string {
    return `http://${host}`;
  }

  /** Returns the service's URL under the host name of the page. */
  serviceOf(host = ''): string {
    return this.#origin(host.replace(/:\d+$/, ''), this.#servicePort);
  }

  #origin(name: string, port: number): string {
    return `http://${name}${port === 80 ? '' : `:${port}`}`;
  }
}
