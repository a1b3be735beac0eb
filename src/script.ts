import { workerName } from './collector/context.js';
import { selfDescription } from './collector/self-description.js';
import * as whorl from './core.js';
import { ownPageObject } from './page-object.js';
import { readScriptTag } from './settings.js';

/**
 * The script-tag file. In a page, it puts the package on `window.Whorl`, without the functions of the events file. In a
 * worker that this package started, it posts what it reads there. A second script tag keeps the object of the first
 * one, and everything that the events file has added.
 */
const page: typeof globalThis & { Whorl?: Partial<typeof whorl> } = globalThis;
if (typeof document !== 'undefined') {
  readScriptTag();
  const own = ownPageObject<typeof whorl>();
  if (!own?.getHash) page.Whorl = { ...whorl, ...own };
} else if (typeof self !== 'undefined' && self.name === workerName) selfDescription().then(postMessage);
