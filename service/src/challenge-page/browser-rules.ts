import { type Facet, facets, parse, unreadable } from 'whorl/fingerprint';

/** Comparison of a visitor's browser with the one that began the challenge. `ask`: the visitor has to confirm it. */
export type BrowserVerdict = 'same' | 'ask' | 'other';

/** Fewer facets than this occur on many devices. */
const minHardwareFacets = 3;

/**
 * Returns whether two fingerprints of one short period can come from the same browser: equal descriptors, and equal
 * hardware. Undefined if they cannot be compared. Software and settings are left out, because browsers may add noise to
 * them for each site.
 */
export function compareBrowsers(began: string, visiting: string): boolean | undefined {
  const [left, right] = [parse(began), parse(visiting)];
  if (!left || !right) return undefined;
  const descriptor = (text: string) => text.split('.')[1];
  if (descriptor(began) !== descriptor(visiting)) return false;
  const readable = facets.filter(({ name }) => left.facets[name] !== unreadable && right.facets[name] !== unreadable);
  const isEqual = ({ name }: Facet) => left.facets[name] === right.facets[name];
  // Devices with one descriptor have some facets in common, such as `engine`, unless their scopes differ.
  if (!readable.some(isEqual)) return undefined;
  const hardware = readable.filter(({ group }) => group === 'hardware');
  if (!hardware.every(isEqual)) return false;
  return hardware.length < minHardwareFacets ? undefined : true;
}

/** What is known about a visitor's browser, compared with the one that began the challenge. */
export interface Comparison {
  readonly isSameKey: boolean | undefined;
  readonly isSameBrowser: boolean | undefined;
  readonly isSamePlace: boolean | undefined;
}

/**
 * Judges a visitor. A key cannot be copied. An attacker can choose a fingerprint that cannot be compared, or copy the
 * victim's, but hardly the victim's network.
 */
export function judgeBrowser({ isSameKey, isSameBrowser, isSamePlace }: Comparison): BrowserVerdict {
  if (isSameKey) return 'same';
  if (isSameBrowser === false) return 'other';
  // With another `scope`, the fingerprint cannot be compared and the key differs in the same browser.
  if (isSameBrowser && isSameKey === false) return 'other';
  if (isSameBrowser) return isSamePlace ? 'same' : 'ask';
  return isSamePlace === false ? 'other' : 'ask';
}
