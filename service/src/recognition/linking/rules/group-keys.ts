import { hash } from 'node:crypto';
import { type FacetName, type ParsedFingerprint, unreadable } from 'whorl/fingerprint';
import { hardwareOfKeys } from '../../../resources/devices/rules/fingerprint-text.js';

/**
 * Groups of facets that rarely change together. If facets of one group change, the device is found by another group. The
 * hardware group has its own key: see `readFingerprint`.
 */
const groups = {
  /** Not changed by browser updates; finds a device after a change of graphics card, memory or monitor. */
  software: ['text', 'audio', 'fonts', 'metrics', 'maths'],
  /** Machine, fonts and settings without facets that are sometimes hidden; finds a device whose GPU cannot be read. */
  frame: ['platform', 'cpu', 'touch', 'fonts', 'screen', 'locale'],
  /** Hardware and settings; finds one among many machines of the same model, after any update. */
  settled: [...hardwareOfKeys.map(({ name }) => name), 'screen', 'locale', 'timezone'],
} as const satisfies Record<string, readonly FacetName[]>;

/** Key of each group, as a bigint for PostgreSQL; null if too little of the group could be read. */
export type GroupKeys = Readonly<Record<keyof typeof groups, string | null>>;

/** Keys of a fingerprint that must not be found by its groups. */
export const noKeys: GroupKeys = { software: null, frame: null, settled: null };

export function groupKeys(fingerprint: ParsedFingerprint): GroupKeys {
  return {
    software: keyOf('software', fingerprint),
    frame: keyOf('frame', fingerprint),
    settled: keyOf('settled', fingerprint),
  };
}

/**
 * At least two thirds of the group must be readable, because unreadable facets match everyone else's unreadable facets.
 */
function keyOf(group: keyof typeof groups, { descriptor, facets: digests }: ParsedFingerprint): string | null {
  const names: readonly FacetName[] = groups[group];
  const readable = names.filter((name) => digests[name] !== unreadable);
  if (readable.length * 3 < names.length * 2) return null;
  const text = [group, descriptor.os, descriptor.browser, ...names.map((name) => digests[name])].join('.');
  return hash('sha256', text, 'buffer').readBigInt64BE().toString();
}
