import type { ReadingContext, ReadingValue } from '../result.js';

/** The WebGL extensions, sorted: their order is not part of the device. They grow with browsers and drivers. */
export function glExtensions({ webgl }: ReadingContext): ReadingValue | undefined {
  const gl = webgl();
  if (!gl) return undefined;
  return gl.getSupportedExtensions()?.sort();
}
