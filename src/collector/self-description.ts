import type { ReadingValue } from './result.js';

/** What a page and its workers must say alike. Runs in both. */
export function selfDescription(): ReadingValue {
  const { userAgent, platform, hardwareConcurrency, language } = navigator;
  return [userAgent, platform, hardwareConcurrency, language, new Date(2025, 0).getTimezoneOffset()];
}

/** By this name the script-tag file knows that it was started as this package's worker. */
export const workerName = 'whorl';
