import { selfDescription, workerName } from './collector/self-description.js';
import * as whorl from './index.js';

/**
 * The script-tag file: puts the package on `window.Whorl`, or, started as this package's own worker, answers
 * what is to be read there. A second script tag leaves the first one's object in place.
 */
const page: typeof globalThis & { Whorl?: typeof whorl } = globalThis;
if (typeof document !== 'undefined') page.Whorl ??= whorl;
else if (typeof self !== 'undefined' && self.name === workerName) postMessage(selfDescription());
