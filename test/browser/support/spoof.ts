/**
 * Spoofed identity, recorded from the output of fingerprint-generator 2.1.88 (bench/identity/spoofers/identities.mjs).
 */
export interface Identity {
  readonly navigator: Readonly<Record<string, string | number>>;
  readonly screen: Readonly<Record<string, number>>;
  readonly devicePixelRatio: number;
  readonly renderer: string;
}

/**
 * Runs in the page and replaces the same functions as fingerprint-injector 2.1.88, in the same way: proxies around
 * native getters that support calls without arguments, around `getParameter` and around `Intl`. This is our own script.
 */
export function injectIdentity({
  navigator: claims,
  screen: sizes,
  devicePixelRatio: ratio,
  renderer,
}: Identity): void {
  const replaceGetters = (prototype: object, values: Readonly<Record<string, string | number | boolean>>) => {
    for (const [name, value] of Object.entries(values)) {
      const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      if (!get) continue;
      const apply = (target: () => unknown, host: unknown, args: []) => {
        const truth = Reflect.apply(target, host, args);
        return args.length === 0 ? value : truth;
      };
      Object.defineProperty(prototype, name, { get: new Proxy(get, { apply }) });
    }
  };
  replaceGetters(Navigator.prototype, { ...claims, webdriver: false });
  replaceGetters(Screen.prototype, sizes);
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    prototype.getParameter = new Proxy(prototype.getParameter, {
      apply: (target, host, args: [number]) => (args[0] === 0x9246 ? renderer : Reflect.apply(target, host, args)),
    });
  }
  Object.assign(window, { devicePixelRatio: ratio });
  const construct = (target: new (...args: unknown[]) => object, [locales, options]: unknown[]) =>
    new target(locales ?? claims.language, options);
  Object.assign(window, {
    Intl: new Proxy(Intl, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? new Proxy(value, { construct }) : value;
      },
    }),
  });
}

/** Runs in the page and replaces native getters, as simple extensions do. */
export function replaceGetters(): void {
  const values = { hardwareConcurrency: 48, deviceMemory: 2, platform: 'Win32', language: 'fr-FR' };
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(Navigator.prototype, name, { get: () => value });
  }
}

/** Runs in the page and replaces the getters of mouse positions, in the same way as puppeteer-real-browser 1.4.4. */
export function replaceMousePositions(): void {
  Object.defineProperty(MouseEvent.prototype, 'screenX', {
    get(this: MouseEvent) {
      return this.clientX + window.screenX;
    },
  });
  Object.defineProperty(MouseEvent.prototype, 'screenY', {
    get(this: MouseEvent) {
      return this.clientY + window.screenY;
    },
  });
}

/** Runs in the page and adds noise to canvas and audio, as privacy extensions do. */
export function farble(): void {
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    const original = prototype.getImageData;
    prototype.getImageData = function (this: CanvasRenderingContext2D, ...args: Parameters<typeof original>) {
      const image = original.apply(this, args);
      for (let index = 0; index < image.data.length; index += 40) image.data[index] = (image.data[index] ?? 0) ^ 1;
      return image;
    };
  }
  const original = AudioBuffer.prototype.getChannelData;
  AudioBuffer.prototype.getChannelData = function (channel: number) {
    return original.call(this, channel).map((sample) => sample + 1e-7);
  };
}
