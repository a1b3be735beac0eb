import { hash32 } from '../fingerprint/hash.js';
import type { ReadingContext, ReadingValue } from './result.js';

const width = 90;
const height = 50;

/**
 * Draws, and reads back the pixels as a hash. The right half of the surface holds a pattern of opaque pixels that every browser
 * must give back exactly; the second value says whether it did. Pixels, not `toDataURL`: encoders put their own
 * random and versioned bytes into an image.
 */
export function drawAndRead(
  canvas: ReadingContext['canvas'],
  draw: (context: CanvasRenderingContext2D) => void,
): ReadingValue | undefined {
  const context = canvas(width * 2, height);
  if (!context) return undefined;
  const pattern = context.createImageData(width, height);
  const expected = new Uint32Array(pattern.data.buffer);
  // An odd multiplier spreads the colours; the top byte is alpha, opaque, so that nothing is premultiplied away.
  for (let index = 0; index < expected.length; index++) expected[index] = Math.imul(index, 0x9e3779b1) | 0xff000000;
  draw(context);
  context.putImageData(pattern, width, 0);
  const read = (left: number) => new Uint32Array(context.getImageData(left, 0, width, height).data.buffer);
  const drawn = hash32(read(0));
  const exact = read(width).every((pixel, index) => pixel === expected[index]);
  return [drawn, exact && drawn === hash32(read(0))];
}
