import { onDetached } from './on-detached.js';
import { ownPageObject } from './page-object.js';
import { readScriptTag } from './settings.js';

/**
 * The script-tag file for events. Adds `onDetached` to `window.Whorl`. Pages that wait for the events of their device
 * load it before or after `whorl.min.js`.
 */
const page: typeof globalThis & { Whorl?: object } = globalThis;
if (typeof document !== 'undefined') {
  readScriptTag();
  page.Whorl = { ...ownPageObject(), onDetached };
}
