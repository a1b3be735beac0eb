import { attribute } from '../attribute.js';
import { readClaims } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/** Names that driving tools leave on `window` or `document`; not of those too old to run this. */
const traces =
  /^(?:[$_]*(?:cdc_|puppeteer_|selenium)|__(?:playwright|pw|puppeteer|webdriver|driver)|domAutomation|webdriver-)/i;

/**
 * Facts that point to a driven browser: its own word for it (WebDriver, section 4), a user agent that calls itself
 * headless, names that driving tools leave behind, and a debugger at work.
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
 * Whether a debugger describes what goes to the console, as all drivers have Chromium's do; open developer tools do,
 * too. It then asks an error for its name, which nobody does for an error that writes itself. The end of a group writes
 * nothing to the console.
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
