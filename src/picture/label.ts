import type { FacetName } from '../fingerprint/facets.js';
import type { Descriptor } from '../fingerprint/parse.js';

/** Returns the title of a picture: the browser and operating system, as far as they are known. */
export function titleOf({ browser, os }: Descriptor): string {
  return `Fingerprint of a ${browser} browser on ${os}`
    .replace('unknown browser', 'browser')
    .replace(' on unknown', '');
}

/** Returns the result of a comparison as text. */
export function changesOf(changed: readonly FacetName[]): string {
  return `; changed: ${changed.join(', ') || 'none'}`;
}
