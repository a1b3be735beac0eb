import { createHash } from 'node:crypto';
import { type FacetName, facets, type ParsedFingerprint, unreadable } from 'whorl/fingerprint';

const hardware = facets.filter(({ group }) => group === 'hardware').map(({ name }) => name);

/**
 * Groups of facets that rarely change together, so that a device of which one group changed is found by another. The
 * hardware group is a key of its own: see `readFingerprint`.
 */
const groups = {
  /** What browser updates leave alone: found after another graphics card, memory or monitor. */
  software: ['text', 'audio', 'fonts', 'metrics', 'maths'],
  /** The machine without what is sometimes hidden, its fonts and its setting: found where the GPU cannot be read. */
  frame: ['platform', 'cpu', 'touch', 'fonts', 'screen', 'locale'],
  /** The hardware with its setting: finds one among many machines of a model, after any update. */
  settled: [...hardware, 'screen', 'locale', 'timezone'],
} as const satisfies Record<string, readonly FacetName[]>;

/** A group's key, as PostgreSQL takes a bigint; null where too little of the group could be read. */
export type GroupKeys = Readonly<Record<keyof typeof groups, string | null>>;

/** Of what must not be found by its groups. */
export const noKeys: GroupKeys = { software: null, frame: null, settled: null };

export function groupKeys(fingerprint: ParsedFingerprint): GroupKeys {
  return {
    software: keyOf('software', fingerprint),
    frame: keyOf('frame', fingerprint),
    settled: keyOf('settled', fingerprint),
  };
}

/** Two thirds of the group have to be readable: what nobody could read, everybody shares. */
function keyOf(group: keyof typeof groups, { descriptor, facets: digests }: ParsedFingerprint): string | null {
  const names: readonly FacetName[] = groups[group];
  const readable = names.filter((name) => digests[name] !== unreadable);
  if (readable.length * 3 < names.length * 2) return null;
  const text = [group, descriptor.os, descriptor.browser, ...names.map((name) => digests[name])].join('.');
  return createHash('sha256').update(text).digest().readBigInt64BE().toString();
}
