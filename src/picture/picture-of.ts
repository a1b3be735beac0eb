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
   * Another fingerprint: facets that are readable in both and differ are drawn thicker, with an outline. Default none.
   */
  readonly compareWith?: string | undefined;
  /**
   * What the picture is called, in place of "Fingerprint of a Chromium browser on Linux". What changed is added to it.
   */
  readonly title?: string | undefined;
}

/**
 * First hue and lightness of each band; hues reach 60 degrees further. The lightness keeps a contrast of 3 to 1 on
 * white and on near-black.
 */
const palette = [
  [215, 60],
  [130, 36],
  [325, 52],
] as const;

/**
 * Draws a fingerprint as an SVG image: hardware facets in the middle, software around them, settings outside, an arc of
 * four ridges for each facet. What an arc looks like follows from the facet's digest alone, so that a change shows in
 * its own place. A facet that could not be read is dotted. The same arguments always give the same text.
 *
 * The text is well-formed XML without styles, scripts or ids: it may stand in a page under any CSP, more than once.
 * Outlines and dots take the colour of the text around it; in an `<img>` they are black.
 *
 * @throws {WhorlError} `invalid_fingerprint` where a text is not a fingerprint, `invalid_options` for a size not
 *   above 0.
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
        const note = digest === unreadable ? ', not readable' : isChanged ? ', changed' : '';
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
  // 61 is prime, so all 24 bits move the hue: a small change of a digest shows in colour too.
  const colour = `hsl(${hue + (bits % 61)},62%,${lightness}%)`;
  if (!isChanged) return stroke(path, colour);
  return stroke(path, 'currentColor', 'stroke-width="5.2"') + stroke(path, colour, 'stroke-width="3"');
}

function stroke(path: string, colour: string, attributes = ''): string {
  return `<path d="${path}" stroke="${colour}" ${attributes}/>`;
}
