import type { FacetName } from '../fingerprint/facets.js';
import type { Descriptor } from '../fingerprint/parse.js';

/** Says in words whose fingerprint a picture shows, as far as it is known. */
export function titleOf({ browser, os }: Descriptor): string {
  return `Fingerprint of a ${browser} browser on ${os}`
    .replace('unknown browser', 'browser')
    .replace(' on unknown', '');
}

/** Says in words what a comparison found. */
export function changesOf(changed: readonly FacetName[]): string {
  return changed.length ? `; changed: ${changed.join(', ')}` : '; nothing changed';
}
