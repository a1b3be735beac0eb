import { pause } from './pause.js';
import type { ReadingContext } from './result.js';

/** A context for one collection, and what gives back what its readings used. */
export function createContext(workerUrl?: string): ReadingContext & { release(): void } {
  let gl: WebGLRenderingContext | null | undefined;
  return {
    pause,
    workerUrl,
    webgl() {
      // One pixel and no buffers: only its parameters are read.
      gl ??= createCanvas(1, 1).getContext('webgl', { antialias: false, depth: false, stencil: false });
      return gl ?? undefined;
    },
    canvas(width, height) {
      return createCanvas(width, height).getContext('2d', { willReadFrequently: true }) ?? undefined;
    },
    release() {
      // Browsers keep about 16 contexts alive and take the page's oldest one when there are more.
      gl?.getExtension('WEBGL_lose_context')?.loseContext();
    },
  };
}

function createCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
