import { readFileSync } from 'node:fs';

// Must run on old versions of Node.js: use nothing newer than ES2019.

/** Returns an error message if this version of Node.js is older than the minimum in package.json. */
export function unsupportedNode(version: string): string | undefined {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const minimum = String(engines.node).replace('>=', '');
  const [major, minor] = numbersOf(version);
  const [minMajor, minMinor] = numbersOf(minimum);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined;
  return `Node.js ${version} is too old for whorl-service: install ${minimum} or newer.`;
}

function numbersOf(version: string): [number, number] {
  const parts = version.split('.').map(Number);
  return [parts[0] || 0, parts[1] || 0];
}
