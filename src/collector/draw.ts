import { hash32 } from '../fingerprint/hash.js';
import type { Drawing, ReadingValue } from './result.js';

const width = 80;
const height = 36;

/** The size of the surface, with room for a drawing and for the pattern beside it. */
export const drawingWidth = width * 2;
export const drawingHeight = height;

let pattern: ImageData | undefined;

function createPattern(): ImageData {
  // An odd multiplier spreads the colours. The alpha byte is opaque, so that premultiplication loses nothing.
  const pixels = new Uint32Array(width * height).map((_, index) => Math.imul(index, 0x9e3779b1) | 0xff000000);
  return new ImageData(new Uint8ClampedArray(pixels.buffer), width);
}

/**
 * Draws on the left half of the surface and returns a hash of the pixels. The right half holds a pattern of opaque
 * pixels that every browser must return unchanged. The second value is true if the pattern was unchanged and two reads
 * of the drawing were equal. Reads pixels instead of calling `toDataURL`, because encoders add random and
 * version-dependent bytes.
 */
export function drawAndRead(context: Drawing | undefined, draw: (context: Drawing) => void): ReadingValue | undefined {
  if (!context) return undefined;
  pattern ??= createPattern();
  const expected = new Uint32Array(pattern.data.buffer);
  context.clearRect(0, 0, drawingWidth, height);
  context.save();
  try {
    draw(context);
  } finally {
    context.restore();
  }
  context.putImageData(pattern, width, 0);
  const read = (left: number) => new Uint32Array(context.getImageData(left, 0, width, height).data.buffer);
  const drawn = read(0);
  const again = read(0);
  const back = read(width);
  // A plain loop, because code that runs once is not compiled and a call per pixel would be slow.
  let exact = true;
  for (let index = 0; index < drawn.length; index++) {
    exact &&= back[index] === expected[index] && again[index] === drawn[index];
  }
  return [hash32(drawn), exact];
}
