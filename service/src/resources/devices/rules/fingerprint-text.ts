import { type Facet, facets, type ParsedFingerprint, parse, unreadable } from 'whorl/fingerprint';
import { rememberNewest } from '../../../ground/bounded-map-rules.js';

/** Values that scripts send when there is no fingerprint. */
const placeholders = new Set(['undefined', 'null', 'NaN', '[object Object]', 'true', 'false', '0']);

/** Minimum number of readable facets for recognition. */
const minFacets = 6;

/**
 * The hardware facets for keys. `memoryFrom8` is left out, because an update of an old Chromium makes it readable, and a
 * key changes with any facet.
 */
export const hardwareOfKeys = facets.filter(({ group, name }) => group === 'hardware' && name !== 'memoryFrom8');

export interface FingerprintText {
  readonly text: string;
  /** Undefined if the text is not in the package's format; it is then matched exactly or not at all. */
  readonly parsed: ParsedFingerprint | undefined;
  /** Whether the fingerprint may be matched. */
  readonly isReadable: boolean;
  /**
   * Operating system, browser family and hardware facets, which stay the same through updates and travel. Undefined if
   * too few could be read.
   */
  readonly hardwareKey: string | undefined;
}

/** Stands for the fingerprint of a request that has none. */
export const missingFingerprint = {
  text: undefined,
  parsed: undefined,
  isReadable: false,
  hardwareKey: undefined,
} as const;

export type MissingFingerprint = typeof missingFingerprint;

/** Reads a fingerprint. One evaluation reads the same text several times. */
export const readFingerprint = rememberNewest((text: string): FingerprintText => {
  const parsed = parse(text);
  if (!parsed) return { text, parsed, isReadable: !placeholders.has(text.trim()), hardwareKey: undefined };
  const isRead = ({ name }: Facet) => parsed.facets[name] !== unreadable;
  const { os, browser } = parsed.descriptor;
  return {
    text,
    parsed,
    isReadable: facets.filter(isRead).length >= minFacets,
    hardwareKey:
      hardwareOfKeys.filter(isRead).length < 3
        ? undefined
        : [os, browser, ...hardwareOfKeys.map(({ name }) => parsed.facets[name])].join('.'),
  };
}, 200);

/**
 * Fault of a fingerprint. `opaque`: not created by the browser package; it matches only exactly the same text.
 * `placeholder`: a value that scripts send when there is no fingerprint. `unreadable`: too few readable facets. The
 * last two never match anything.
 */
export type FingerprintFault = 'opaque' | 'placeholder' | 'unreadable';

export function faultOfFingerprint(text: string): FingerprintFault | undefined {
  const { parsed, isReadable } = readFingerprint(text);
  if (parsed) return isReadable ? undefined : 'unreadable';
  return isReadable ? 'opaque' : 'placeholder';
}
