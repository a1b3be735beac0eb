import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Reads the WebGL extensions, sorted, because their order does not depend on the device. Updates of browsers and
 * drivers add extensions.
 */
export function glExtensions({ webgl }: ReadingContext): ReadingValue | undefined {
  const gl = webgl();
  if (!gl) return undefined;
  return gl.getSupportedExtensions()?.sort();
}
