import { workerName } from './collector/context.js';
import { selfDescription } from './collector/self-description.js';
import * as whorl from './core.js';
import { readScriptTag } from './settings.js';

/**
 * The script-tag file: puts the package, without what is in the file of events, on `window.Whorl`, or, started as this
 * package's own worker, answers what is to be read there. A second script tag leaves the first one's object in place.
 */
const page: typeof globalThis & { Whorl?: typeof whorl } = globalThis;
if (typeof document !== 'undefined') {
  readScriptTag();
  page.Whorl ??= whorl;
} else if (typeof self !== 'undefined' && self.name === workerName) selfDescription().then(postMessage);
