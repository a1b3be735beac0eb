/**
 * The position of a facet's arc: a sector of one of three bands, counted from the middle. The middle of the picture is
 * 0, 0.
 */
export interface Place {
  readonly band: number;
  readonly index: number;
  /** The number of facets in the band. */
  readonly count: number;
}

const innermostRadius = 13;
const radiusPerRidge = 4.8;
const radiusPerBand = 22.5;
/** How far a ridge is rotated, in radians per unit of radius. This makes the rings look like a whorl. */
const twist = 0.018;
/** Half the gap between two sectors and within a broken ridge, in units of the picture. */
const halfRoom = 2.75;

/**
 * Returns the four ridges of a facet as SVG path data. Each of the four base64url characters of a digest draws one
 * ridge: two bits give its start, two its end, two its gap. Different digests therefore give different drawings.
 */
export function ridges(bits: number, { band, index, count }: Place): string {
  const sector = (2 * Math.PI) / count;
  return [0, 1, 2, 3]
    .map((ridge) => {
      const look = bits >> (18 - 6 * ridge);
      const radius = innermostRadius + band * radiusPerBand + ridge * radiusPerRidge;
      const gap = halfRoom / radius;
      const from = index * sector + radius * twist + gap;
      const length = sector - 2 * gap;
      const begin = from + ((look >> 4) & 3) * 0.085 * length;
      const end = from + length - ((look >> 2) & 3) * 0.085 * length;
      const broken = begin + (end - begin) * 0.2 * ((look & 3) + 1);
      const half = look & 3 ? gap : 0;
      return arc(radius, begin, broken - half) + arc(radius, broken + half, end);
    })
    .join('');
}

function arc(radius: number, from: number, to: number): string {
  // If the gap removes the whole arc, a dot remains: the end never comes before the start.
  return `M${point(radius, from)}A${radius} ${radius} 0 0 1 ${point(radius, Math.max(to, from + 0.02))}`;
}

function point(radius: number, angle: number): string {
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}
