import { onDetached } from './on-detached.js';
import { readScriptTag } from './settings.js';

/**
 * The script-tag file of events: adds `onDetached` to `window.Whorl`. It goes with `whorl.min.js`, before it or
 * after it, for pages that wait for the events of their device, and costs the others nothing.
 */
const page: typeof globalThis & { Whorl?: object } = globalThis;
if (typeof document !== 'undefined') {
  readScriptTag();
  page.Whorl = { ...page.Whorl, onDetached };
}
