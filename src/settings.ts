/** What the script tag says for options that a call leaves open. Empty for who imports the package. */
export interface Settings {
  clientId?: string;
  baseUrl?: string;
  scope?: string;
  workerUrl?: string;
}

export const settings: Settings = {};

/**
 * Takes the `data-` attributes of the script tag that is running as settings; without `data-base-url`, the service is
 * where the file came from. For the script-tag files alone.
 */
export function readScriptTag(): void {
  const tag = document.currentScript;
  // Markup can give the name `currentScript` to an element of its own, which is to set nothing.
  if (tag instanceof HTMLScriptElement) {
    Object.assign(settings, { baseUrl: /^https?:\/\/[^/]+/.exec(tag.src)?.[0] }, tag.dataset);
  }
}
