import { parameter } from '../attribute.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/** The limits to read: those that differ between drivers. */
const limits = [
  'ALIASED_LINE_WIDTH_RANGE',
  'ALIASED_POINT_SIZE_RANGE',
  'MAX_FRAGMENT_UNIFORM_VECTORS',
  'MAX_TEXTURE_IMAGE_UNITS',
  'MAX_TEXTURE_SIZE',
  'MAX_VARYING_VECTORS',
  'MAX_VERTEX_ATTRIBS',
  'MAX_VERTEX_TEXTURE_IMAGE_UNITS',
  'MAX_VERTEX_UNIFORM_VECTORS',
  'MAX_VIEWPORT_DIMS',
  'SUBPIXEL_BITS',
] as const;

/** Reads the limits of the graphics driver and the precision of its shaders. */
export function glParameters({ webgl }: ReadingContext): ReadingValue | undefined {
  const gl = webgl();
  if (!gl) return undefined;
  const precisions = [gl.LOW_FLOAT, gl.MEDIUM_FLOAT, gl.HIGH_FLOAT].map((kind) => {
    const format = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, kind);
    return String([format?.rangeMin, format?.rangeMax, format?.precision]);
  });
  return [...limits.map((name) => String(parameter(gl, gl[name]))), ...precisions];
}
