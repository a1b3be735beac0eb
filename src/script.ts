import { workerName } from './collector/context.js';
import { selfDescription } from './collector/self-description.js';
import * as whorl from './core.js';
import { readScriptTag } from './settings.js';

/**
 * The script-tag file: puts the package, without what is in the file of events, on `window.Whorl`, or, started as this
 * package's own worker, answers what is to be read there. A second script tag leaves the first one's object in place; what the
 * file of events has put there, where that ran first, stays too.
 */
const page: typeof globalThis & { Whorl?: Partial<typeof whorl> } = globalThis;
if (typeof document !== 'undefined') {
  readScriptTag();
  if (!page.Whorl?.getHash) page.Whorl = { ...whorl, ...page.Whorl };
} else if (typeof self !== 'undefined' && self.name === workerName) selfDescription().then(postMessage);
