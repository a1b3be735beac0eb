import type { ReadingContext, ReadingValue } from '../result.js';

/** The WebGL extensions, sorted: their order is not part of the device. They grow with browsers and drivers. */
export async function glExtensions({ webgl, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  const gl = webgl();
  if (!gl) return undefined;
  await pause();
  return gl.getSupportedExtensions()?.sort();
}
