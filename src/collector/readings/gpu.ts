import { parameter } from '../attribute.js';
import { normaliseGpu } from '../normalise-gpu.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Model of the graphics processor, driver versions taken off (WEBGL_debug_renderer_info). Firefox names a
 * family instead of the model and has the plain parameter for it; WebKit says the same everywhere.
 */
export async function gpu({ webgl, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  const gl = webgl();
  if (!gl) return undefined;
  await pause();
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER;
  return normaliseGpu(String(parameter(gl, renderer)));
}
