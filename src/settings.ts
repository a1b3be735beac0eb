/** The script tag's values for options that a call omits. Empty if the package is imported. */
export interface Settings {
  clientId?: string;
  baseUrl?: string;
  scope?: string;
  workerUrl?: string;
}

/** Has no prototype, so that the page's `Object.prototype` sets nothing. */
export const settings: Settings = Object.create(null);

/**
 * Reads the `data-` attributes of the running script tag as settings. Without `data-base-url`, the service is the
 * origin of the file. Only for the script-tag files.
 */
export function readScriptTag(): void {
  // Calls the getter itself, because markup can give the name `currentScript` to an element (DOM clobbering).
  const getter = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')?.get;
  const tag: unknown = getter?.call(document);
  if (tag instanceof HTMLScriptElement) {
    Object.assign(settings, { baseUrl: /^https?:\/\/[^/]+/.exec(tag.src)?.[0] }, tag.dataset);
  }
}
