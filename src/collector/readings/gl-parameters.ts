import { parameter } from '../attribute.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * The limits to read: those that differ between drivers. Numbers, as in WebGL 1.0, section 5.14, and 2.0, section 3.7, because their names
 * would add 2% to the page bundle.
 */
const limits = [
  0x846e, // ALIASED_LINE_WIDTH_RANGE
  0x846d, // ALIASED_POINT_SIZE_RANGE
  0x8a2e, // MAX_COMBINED_UNIFORM_BLOCKS, null in WebGL 1
  0x8dfd, // MAX_FRAGMENT_UNIFORM_VECTORS
  0x8872, // MAX_TEXTURE_IMAGE_UNITS
  0x0d33, // MAX_TEXTURE_SIZE
  0x8dfc, // MAX_VARYING_VECTORS
  0x8869, // MAX_VERTEX_ATTRIBS
  0x8b4c, // MAX_VERTEX_TEXTURE_IMAGE_UNITS
  0x8dfb, // MAX_VERTEX_UNIFORM_VECTORS
  0x0d3a, // MAX_VIEWPORT_DIMS
  0x0d50, // SUBPIXEL_BITS
];

const fragmentShader = 0x8b30;
/** Low, medium and high precision of floating-point numbers. */
const precisionKinds = [0x8df0, 0x8df1, 0x8df2];

/**
 * Reads the limits of the graphics driver and the precision of its shaders, with WebGL 2 where available.
 *
 * Drivers that offer an older OpenGL for the same processor allow fewer uniform blocks.
 */
export function glParameters({ webgl }: ReadingContext): ReadingValue | undefined {
  const gl = webgl();
  if (!gl) return undefined;
  const precisions = precisionKinds.map((kind) => {
    const format = gl.getShaderPrecisionFormat(fragmentShader, kind);
    return String([format?.rangeMin, format?.rangeMax, format?.precision]);
  });
  return [...limits.map((limit) => String(parameter(gl, limit))), ...precisions];
}
