import { onDetached } from './on-detached.js';
import { settings } from './settings.js';

/**
 * The script-tag file of events: adds `onDetached` to `window.Whorl`. It comes after `whorl.min.js`, for pages that wait
 * for the events of their device, and costs the others nothing.
 *
 * The tag's `data-base-url` is the service's address; without it, that is where the file came from.
 */
const page: typeof globalThis & { Whorl?: object } = globalThis;
if (typeof document !== 'undefined') {
  const tag = document.currentScript;
  if (tag instanceof HTMLScriptElement) {
    Object.assign(settings, { baseUrl: /^https?:\/\/[^/]+/.exec(tag.src)?.[0] }, tag.dataset);
  }
  page.Whorl = { ...page.Whorl, onDetached };
}
