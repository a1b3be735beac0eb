import { type FoundBrowsers, findBrowsers } from '../../../scripts/find-browsers.mjs';

let cached: FoundBrowsers | undefined;

export function isFound(...names: (keyof FoundBrowsers)[]): boolean {
  cached ??= findBrowsers();
  const browsers = cached;
  return names.every((name) => browsers[name] !== undefined);
}

/** Returns the program's path. Throws an error that says how to install it. */
export function found(name: keyof FoundBrowsers): string {
  cached ??= findBrowsers();
  const path = cached[name];
  if (!path) throw new Error(`No ${name} is installed: run npm run setup:browsers`);
  return path;
}
