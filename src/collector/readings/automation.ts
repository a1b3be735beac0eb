import { attempt } from '../../attempt.js';
import { attribute } from '../attribute.js';
import { runChecks } from '../checks.js';
import type { ReadingValue } from '../result.js';

/** Names that chromedriver, Puppeteer, Playwright and TestCafe leave on `window` or `document`. */
const traces = /^[$_]*(cdc_|puppeteer_|__playwright|__pw[A-Z_]|%hammerhead)/;

/**
 * Reads the signs of an automated browser: `navigator.webdriver`, a user agent that names a headless browser, names and
 * an emulated screen that automation tools leave behind, and an active debugger.
 *
 * `navigator.webdriver` is in WebDriver, section 4. A sign that every engine lets a page look for, but that cannot be
 * looked for, is evidence too: a script has prevented it.
 */
export function automation(): ReadingValue {
  return runChecks([
    // Chromium before 89 has it only while it is driven. It has the other property since 90.
    () => attribute(navigator, 'webdriver') ?? ('hasIndices' in RegExp.prototype && ''),
    // A method of the text, so that a missing user agent is not a clean one.
    () => attribute(navigator, 'userAgent').search(/headless/i) >= 0,
    // Developer tools can emulate a screen too.
    () => hasTraces() || (!attempt(isInspected) && isScreenEmulated()),
    isInspected,
  ]);
}

function hasTraces(): boolean {
  return [window, document].flatMap(Object.getOwnPropertyNames).some((name) => traces.test(name));
}

/**
 * Returns whether the page fills the screen exactly, in a window that is larger than that screen. Playwright and its
 * descendants emulate a screen in this way. Some browsers change the size of the window by a few pixels for privacy.
 */
function isScreenEmulated(): boolean {
  return innerWidth === screen.width && innerHeight === screen.height && outerHeight > innerHeight + 40;
}

/**
 * Returns whether a debugger serialises console messages. All automation tools make Chromium's debugger do so, and so
 * do open developer tools. The debugger then reads the name of an error, which nothing else does for an error with
 * its own `toString`. `console.groupEnd` prints nothing.
 */
function isInspected(): boolean {
  let asked = false;
  const bait: unknown = Object.setPrototypeOf(new Error(), {
    toString: String,
    get name() {
      asked = true;
      return '';
    },
  });
  const debugged: { groupEnd(bait: unknown): void } = console;
  debugged.groupEnd(bait);
  return asked;
}
