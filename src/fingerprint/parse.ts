import { WhorlError } from '../errors.js';
import { type FacetGroup, type FacetName, facetGroups, facets } from './facets.js';
import { type FacetDigests, formatVersion } from './format.js';
import { decode24 } from './hash.js';

/** The readable head of a fingerprint. Letters that this version does not know are read as `unknown`. */
export interface Descriptor {
  readonly kind: 'desktop' | 'mobile' | 'tablet' | 'unknown';
  readonly os: 'Windows' | 'macOS' | 'Linux' | 'Android' | 'iOS' | 'ChromeOS' | 'unknown';
  readonly browser: 'Chromium' | 'Firefox' | 'WebKit' | 'unknown';
  /** The major version of the browser, or 0 if it could not be read. */
  readonly browserVersion: number;
}

const letters = {
  kind: { d: 'desktop', m: 'mobile', t: 'tablet' },
  os: { w: 'Windows', m: 'macOS', l: 'Linux', a: 'Android', i: 'iOS', c: 'ChromeOS' },
  browser: { c: 'Chromium', f: 'Firefox', w: 'WebKit' },
} as const;

/** The parts of a parsed fingerprint. */
export interface ParsedFingerprint {
  readonly version: string;
  readonly descriptor: Descriptor;
  readonly facets: FacetDigests;
  /**
   * Evidence of automation and tampering, as bits (see docs/facets.md). Created in the page, so a clean value proves
   * nothing.
   */
  readonly integrity: number;
}

const pattern = /^(w1)\.([a-z])([a-z])([a-z])(\d{1,4})\.([\w~-]{28})\.([\w~-]{36})\.([\w~-]{20})\.([\w-]{4})$/;
const digests = /^(?:[\w-]{4}|~~~~)+$/;

function lookUp<Names extends Readonly<Record<string, string>>>(
  names: Names,
  letter: string,
): Names[keyof Names] | 'unknown' {
  return names[letter as keyof Names] ?? 'unknown';
}

/** Parses a fingerprint. Returns undefined if the text is not a fingerprint in a format that this version knows. */
export function parse(fingerprint: string): ParsedFingerprint | undefined {
  const match = pattern.exec(fingerprint);
  if (!match) return undefined;
  const [, version = '', kind = '', os = '', browser = '', major = '', hardware, software, setting, integrity = ''] =
    match;
  const all = `${hardware}${software}${setting}`;
  if (!digests.test(all)) return undefined;
  // Assigned one by one, because Object.fromEntries takes four times as long.
  const read = {} as Record<FacetName, string>;
  facets.forEach(({ name }, index) => {
    read[name] = all.slice(index * 4, index * 4 + 4);
  });
  return {
    version,
    descriptor: {
      kind: lookUp(letters.kind, kind),
      os: lookUp(letters.os, os),
      browser: lookUp(letters.browser, browser),
      browserVersion: Number(major),
    },
    facets: read,
    integrity: decode24(integrity),
  };
}

/**
 * Parses a fingerprint as `parse` does.
 *
 * @throws {WhorlError} `invalid_fingerprint` for any other text. The message names its format, as far as it can be
 *   seen, and the format that this version reads.
 */
export function mustParse(fingerprint: string): ParsedFingerprint {
  const parsed = parse(fingerprint);
  if (parsed) return parsed;
  const known = formatOf(formatVersion, facetGroups.map(countOf));
  const [, version = '', groups = ''] = /^(w\d{1,3})\.[^.]+((\.[\w~-]+){3})\.[^.]+$/.exec(fingerprint) ?? [];
  const sizes = groups
    .split('.')
    .slice(1)
    .map((group) => group.length / 4);
  const found = version && formatOf(version, sizes);
  const problem = !found || found === known ? 'not a fingerprint in any format' : `a fingerprint of ${found}`;
  throw new WhorlError('invalid_fingerprint', `This is ${problem}. This version reads ${known}.`);
}

function countOf(group: FacetGroup): number {
  return facets.filter((facet) => facet.group === group).length;
}

/** Describes a format by its version and the number of facets in each group: `w1 with 7 + 9 + 5 facets`. */
function formatOf(version: string, sizes: readonly number[]): string {
  return `${version} with ${sizes.join(' + ')} facets`;
}
