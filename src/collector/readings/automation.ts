import type { ReadingValue } from '../result.js';

/** Names that driving tools leave on `window` or `document`. */
const traces =
  /^(?:\$?cdc_|__(?:playwright|pw|puppeteer|webdriver|driver|selenium|fxdriver|nightmare)|_?(?:phantom|selenium)|callPhantom|domAutomation|webdriver-)/i;

/**
 * Facts that point to a driven browser: its own word for it (WebDriver, section 4), a user agent that calls itself
 * headless, and names that driving tools leave behind.
 */
export function automation(): ReadingValue {
  const names = [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(document)];
  return [navigator.webdriver === true, /headless/i.test(navigator.userAgent), names.some((name) => traces.test(name))];
}
