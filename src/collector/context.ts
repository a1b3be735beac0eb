import { drawingHeight, drawingWidth } from './draw.js';
import { createPause } from './pause.js';
import type { Drawing, ReadingContext } from './result.js';

/** By this name the script-tag file knows that it was started as this package's worker. */
export const workerName = 'whorl';

/** A context for one collection, and what gives back what its readings used. */
export function createContext(workerUrl?: string): ReadingContext & { release(): void } {
  const { pause, nextTask, close } = createPause();
  let started: Worker | undefined;
  let gl: WebGLRenderingContext | null | undefined;
  let drawing: Drawing | undefined;
  return {
    pause,
    nextTask,
    worker() {
      if (workerUrl) started = new Worker(workerUrl, { name: workerName });
      return started;
    },
    webgl() {
      if (gl === undefined) gl = createWebgl();
      return gl ?? undefined;
    },
    drawing() {
      drawing ??= createDrawing();
      return drawing;
    },
    release() {
      // It may never answer, and would live on.
      started?.terminate();
      // Browsers keep about 16 contexts alive and take the page's oldest one when there are more.
      gl?.getExtension('WEBGL_lose_context')?.loseContext();
      close();
    },
  };
}

/** One pixel and no buffers: only its parameters are read. */
function createWebgl(): WebGLRenderingContext | null {
  const settings: WebGLContextAttributes = { antialias: false, depth: false, stencil: false };
  if (typeof document === 'undefined') return new OffscreenCanvas(1, 1).getContext('webgl', settings);
  return createElement(1, 1).getContext('webgl', settings);
}

/**
 * Off-screen where there is such a thing: in Firefox the text of a canvas element moves with zoom and the display's
 * scale. Only for drawing: WebKitGTK has no WebGL off-screen.
 */
function createDrawing(): Drawing | undefined {
  const settings: CanvasRenderingContext2DSettings = { willReadFrequently: true };
  const drawing =
    typeof OffscreenCanvas === 'function'
      ? new OffscreenCanvas(drawingWidth, drawingHeight).getContext('2d', settings)
      : createElement(drawingWidth, drawingHeight).getContext('2d', settings);
  // Not the page's: both would choose fonts, and the side that text starts from.
  return drawing ? Object.assign(drawing, { lang: 'en', direction: 'ltr' as const }) : undefined;
}

function createElement(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
