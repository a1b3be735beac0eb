import { WhorlError } from '../errors.js';
import { type FacetName, facetGroups, facets } from '../fingerprint/facets.js';
import { unreadable } from '../fingerprint/format.js';
import { decode24 } from '../fingerprint/hash.js';
import { mustParse } from '../fingerprint/parse.js';
import { changesOf, titleOf } from './label.js';
import { type Place, ridges } from './ridges.js';
import { escapeXml } from './xml.js';

export interface PictureOptions {
  /** Width and height in CSS pixels. Default 160. */
  readonly size?: number | undefined;
  /**
   * Another fingerprint to compare with. Facets that are readable in both and differ are drawn thicker, with an
   * outline. Default: none.
   */
  readonly compareWith?: string | undefined;
  /**
   * The title of the picture. Default: a description such as "Fingerprint of a Chromium browser on Linux". A list of
   * changed facets is appended.
   */
  readonly title?: string | undefined;
}

/**
 * The first hue and the lightness of each band. Hues span 60 degrees. The lightness gives a contrast of 3 to 1 on white
 * and on near-black.
 */
const palette = [
  [215, 60],
  [130, 36],
  [325, 52],
] as const;

/**
 * Draws a fingerprint as an SVG image: hardware facets in the middle, software around them, settings outside, with an
 * arc of four ridges for each facet. Each arc depends only on its facet's digest, so a change is visible in its own
 * place. Unreadable facets are dotted. The same arguments always give the same text.
 *
 * The text is well-formed XML without styles, scripts or IDs, so it works in a page under any CSP, more than once.
 * Outlines and dots have the colour of the surrounding text; in an `<img>` they are black.
 *
 * @throws {WhorlError} `invalid_fingerprint` if a text is not a fingerprint, `invalid_options` if `size` is not above
 *   0.
 */
export function pictureOf(fingerprint: string, { size = 160, compareWith, title }: PictureOptions = {}): string {
  if (!(size > 0 && size < Infinity)) throw new WhorlError('invalid_options', 'size must be above 0.');
  const shown = mustParse(fingerprint);
  const other = compareWith === undefined ? undefined : mustParse(compareWith);
  const changed: FacetName[] = [];
  const arcs = facetGroups.flatMap((group, band) =>
    facets
      .filter((facet) => facet.group === group)
      .map(({ name }, index, { length: count }) => {
        const digest = shown.facets[name];
        const against = other?.facets[name] ?? unreadable;
        const isChanged = digest !== unreadable && against !== unreadable && digest !== against;
        if (isChanged) changed.push(name);
        const note = digest === unreadable ? ', unreadable' : isChanged ? ', changed' : '';
        const drawn = drawFacet(digest, { band, index, count }, isChanged);
        return `<g data-facet="${name}"><title>${name} (${group}${note})</title>${drawn}</g>`;
      }),
  );
  const label = escapeXml((title ?? titleOf(shown.descriptor)) + (other ? changesOf(changed) : ''));
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}" width="${size}" height="${size}" viewBox="-80 -80 160 160" fill="none" stroke-linecap="round" stroke-width="2.6"><title>${label}</title>${arcs.join('')}</svg>`;
}

function drawFacet(digest: string, place: Place, isChanged: boolean): string {
  if (digest === unreadable) {
    return stroke(ridges(0, place), 'currentColor', 'stroke-width="1.6" stroke-dasharray="0 4.5" opacity=".45"');
  }
  const bits = decode24(digest);
  const path = ridges(bits, place);
  const [hue, lightness] = palette[place.band] ?? palette[0];
  // 61 is prime, so all 24 bits affect the hue, and a small change of a digest changes the colour.
  const colour = `hsl(${hue + (bits % 61)},62%,${lightness}%)`;
  if (!isChanged) return stroke(path, colour);
  return stroke(path, 'currentColor', 'stroke-width="5.2"') + stroke(path, colour, 'stroke-width="3"');
}

function stroke(path: string, colour: string, attributes = ''): string {
  return `<path d="${path}" stroke="${colour}" ${attributes}/>`;
}
