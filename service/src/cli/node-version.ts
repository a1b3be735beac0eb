import { readFileSync } from 'node:fs';

// An old Node reads this file: nothing newer than ES2019 may stand in it.

/** Returns, in a sentence, that Node is too old; undefined where it is not. The oldest is the one that package.json names. */
export function unsupportedNode(version: string): string | undefined {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const oldest = String(engines.node).replace('>=', '');
  const [major, minor] = numbersOf(version);
  const [oldestMajor, oldestMinor] = numbersOf(oldest);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Node.js ${version} is too old for whorl-service: install ${oldest} or newer.`;
}

function numbersOf(version: string): [number, number] {
  const parts = version.split('.').map(Number);
  return [parts[0] || 0, parts[1] || 0];
}
