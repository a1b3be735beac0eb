import * as whorl from './core.js';
import { ownPageObject } from './page-object.js';
import { readScriptTag } from './settings.js';

/**
 * The script-tag file. Puts the package on `window.Whorl`, without the functions of the events file. A second script
 * tag keeps the object of the first one, and everything that the events file has added.
 */
const page: typeof globalThis & { Whorl?: Partial<typeof whorl> } = globalThis;
if (typeof document !== 'undefined') {
  readScriptTag();
  const own = ownPageObject<typeof whorl>();
  if (!own?.getHash) page.Whorl = { ...whorl, ...own };
}
