import { attribute } from '../attribute.js';
import { readClaims } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Names that automation tools leave on `window` or `document`. Tools that are too old for the supported browsers are
 * left out.
 */
const traces =
  /^(?:[$_]*(?:cdc_|puppeteer_|selenium)|__(?:playwright|pw|puppeteer|webdriver|driver)|domAutomation|webdriver-)/i;

/**
 * Reads the signs of an automated browser: `navigator.webdriver` (WebDriver, section 4), a user agent that names a
 * headless browser, names that automation tools leave behind, and an active debugger.
 */
export function automation(): ReadingValue {
  const names = [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(document)];
  return [
    attribute(navigator, 'webdriver') === true,
    /headless/i.test(readClaims().userAgent),
    names.some((name) => traces.test(name)),
    isInspected(),
  ];
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
  Reflect.apply(console.groupEnd, console, [bait]);
  return asked;
}
