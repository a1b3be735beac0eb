import { workerName } from './collector/context.js';
import { selfDescription } from './collector/self-description.js';
import * as whorl from './core.js';
import { settings } from './settings.js';

/**
 * The script-tag file: puts the package, without what is in the file of events, on `window.Whorl`, or, started as this package's own worker, answers
 * what is to be read there. A second script tag leaves the first one's object in place.
 *
 * The tag's `data-` attributes are settings; without `data-base-url`, the service is where the file came from.
 */
const page: typeof globalThis & { Whorl?: typeof whorl } = globalThis;
if (typeof document !== 'undefined') {
  const tag = document.currentScript;
  // Markup can give the name `currentScript` to an element of its own, which is to set nothing.
  if (tag instanceof HTMLScriptElement) {
    Object.assign(settings, { baseUrl: /^https?:\/\/[^/]+/.exec(tag.src)?.[0] }, tag.dataset);
  }
  page.Whorl ??= whorl;
} else if (typeof self !== 'undefined' && self.name === workerName) selfDescription().then(postMessage);
