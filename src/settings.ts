/** What the script tag says for options that a call leaves open. Empty for who imports the package. */
export interface Settings {
  clientId?: string;
  baseUrl?: string;
  scope?: string;
  workerUrl?: string;
}

export const settings: Settings = {};

/**
 * Takes the `data-` attributes of the running script tag as settings. Without `data-base-url`, the service is where the
 * file came from. Only for the script-tag files.
 */
export function readScriptTag(): void {
  // By the getter itself: markup can give the name `currentScript` to an element of its own (DOM clobbering).
  const getter = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get;
  const tag: unknown = getter?.call(document);
  if (tag instanceof HTMLScriptElement) {
    Object.assign(settings, { baseUrl: /^https?:\/\/[^/]+/.exec(tag.src)?.[0] }, tag.dataset);
  }
}
