import { parameter } from '../attribute.js';
import { normaliseGpu } from '../normalise-gpu.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Reads the model of the graphics processor without driver versions. Firefox reports a family instead, and WebKit the
 * same value on every device.
 *
 * The model is in WEBGL_debug_renderer_info. Firefox reports the family through the plain parameter.
 */
export async function gpu({ webgl, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  webgl();
  await pause();
  const gl = webgl();
  if (!gl) return undefined;
  // UNMASKED_RENDERER_WEBGL, which the extension adds, or RENDERER.
  const renderer = gl.getExtension('WEBGL_debug_renderer_info') ? 0x9246 : 0x1f01;
  return normaliseGpu(String(parameter(gl, renderer)));
}
