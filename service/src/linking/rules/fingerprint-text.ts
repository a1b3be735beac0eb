import { facets, type ParsedFingerprint, parse, unreadable } from 'whorl/fingerprint';

/** What scripts send when there is no fingerprint. */
const placeholders = new Set(['undefined', 'null', 'NaN', '[object Object]', 'true', 'false', '0']);

/** Below so many readable facets a fingerprint says too little to recognise anything by. */
const fewestFacets = 6;

const hardware = facets.filter(({ group }) => group === 'hardware');

export interface FingerprintText {
  readonly text: string;
  /** Undefined where the text is not a fingerprint of ours; it is then matched exactly or not at all. */
  readonly parsed: ParsedFingerprint | undefined;
  /** Whether it may match anything. */
  readonly isReadable: boolean;
  /** System, browser family and hardware facets: the same through upgrades and travel. Undefined where too little of it could be read. */
  readonly hardwareKey: string | undefined;
}

export function readFingerprint(text: string): FingerprintText {
  const parsed = parse(text);
  if (!parsed) return { text, parsed, isReadable: !placeholders.has(text.trim()), hardwareKey: undefined };
  const readable = facets.filter(({ name }) => parsed.facets[name] !== unreadable);
  const { os, browser } = parsed.descriptor;
  return {
    text,
    parsed,
    isReadable: readable.length >= fewestFacets,
    hardwareKey:
      readable.filter(({ group }) => group === 'hardware').length < 3
        ? undefined
        : [os, browser, ...hardware.map(({ name }) => parsed.facets[name])].join('.'),
  };
}
