import { createHash } from 'node:crypto';
import { type FacetName, facetGroups, facets, type IntegrityBit, readIntegrity, unreadable } from 'whorl/fingerprint';
import type { Service } from '../../src/testing.js';

export interface DeviceModel {
  /** Devices with the same seed are look-alikes and have the same fingerprint. */
  readonly seed: string;
  /** Kind, system, browser family and version. Default: `dlc156`. */
  readonly descriptor?: string;
  /** Facets with a different value from the seed's. */
  readonly changed?: readonly FacetName[];
  /** Facets that could not be read. */
  readonly missing?: readonly FacetName[];
  readonly integrity?: readonly IntegrityBit[];
}

/** Returns the fingerprint that the browser package would build for a device. */
export function fingerprintOf({
  seed,
  descriptor = 'dlc156',
  changed = [],
  missing = [],
  integrity = [],
}: DeviceModel): string {
  const groups = facetGroups.map((group) =>
    facets
      .filter((facet) => facet.group === group)
      .map(({ name }) => {
        if (missing.includes(name)) return unreadable;
        return digestOf(`${changed.includes(name) ? 'changed ' : ''}${seed} ${name}`);
      })
      .join(''),
  );
  return ['w1', descriptor, ...groups, bitsOf(integrity)].join('.');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 4);
}

function bitsOf(integrity: readonly IntegrityBit[]): string {
  const names = readIntegrity(0xffffff);
  const bits = integrity.reduce((sum, bit) => sum | (1 << names.indexOf(bit)), 0);
  return Buffer.from([bits >> 16, bits >> 8, bits]).toString('base64url');
}

/**
 * Deletes the linking keys of all variants, so that only exact matches are recognised and any other fingerprint becomes
 * a new identity.
 */
export async function hideFromLinking(db: Service['db']): Promise<void> {
  const noKeys = { hardware_key: null, software_key: null, frame_key: null, settled_key: null };
  await db.updateTable('variants').set(noKeys).execute();
}
