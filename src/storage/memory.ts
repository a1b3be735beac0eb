/** The records saved since the page was loaded. The only storage left if a browser blocks all others. */
export const memory = new Map<string, unknown>();
