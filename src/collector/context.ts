import { ownFields } from '../own-fields.js';
import { drawingHeight, drawingWidth } from './draw.js';
import { createPause } from './pause.js';
import type { Drawing, ReadingContext, WebGl } from './result.js';

/** Creates the context for one collection. `release` frees what the readings used. */
export function createContext(workerUrl?: string): ReadingContext & { release(): void } {
  const { pause, nextTask, close } = createPause();
  let started: Worker | undefined;
  let gl: WebGl | null | undefined;
  let drawing: Drawing | undefined;
  return {
    pause,
    nextTask,
    worker() {
      if (workerUrl) started = new Worker(workerUrl);
      return started;
    },
    webgl() {
      if (gl === undefined) gl = createWebgl(createElement(1, 1));
      // A lost one returns null for everything. The graphics process may have ended, or the page created many others.
      return gl?.isContextLost() ? null : gl;
    },
    drawing() {
      drawing ??= createDrawing();
      return drawing;
    },
    release() {
      // The worker may never respond. Without this, it would keep running.
      started?.terminate();
      // Browsers allow about 16 live contexts, and drop the oldest one of the page when there are more.
      gl?.getExtension('WEBGL_lose_context')?.loseContext();
      close();
    },
  };
}

interface WebglCanvas {
  getContext(kind: 'webgl2', settings: WebGLContextAttributes): WebGL2RenderingContext | null;
  getContext(kind: 'webgl', settings: WebGLContextAttributes): WebGLRenderingContext | null;
}

/**
 * Creates a context of one pixel without buffers, because only its parameters are read. WebGL 2 where it is available,
 * because drivers differ in limits that WebGL 1 does not have.
 */
export function createWebgl(canvas: WebglCanvas): WebGl | null {
  const settings = ownFields<WebGLContextAttributes>({ antialias: false, depth: false, stencil: false });
  return canvas.getContext('webgl2', settings) ?? canvas.getContext('webgl', settings);
}

/**
 * Creates the drawing surface: an OffscreenCanvas where available, because text on a canvas element changes with zoom
 * and display scale in Firefox. WebGL does not use this surface, because WebKitGTK has no off-screen WebGL.
 */
export function createDrawing(): Drawing | undefined {
  const canvas =
    typeof OffscreenCanvas === 'function'
      ? new OffscreenCanvas(drawingWidth, drawingHeight)
      : createElement(drawingWidth, drawingHeight);
  const settings: CanvasRenderingContext2DSettings = ownFields({ willReadFrequently: true });
  const drawing = canvas.getContext('2d', settings);
  // Fixed values, because the page's own language and direction would affect the choice of fonts and the text origin.
  return drawing ? Object.assign(drawing, { lang: 'en', direction: 'ltr' as const }) : undefined;
}

function createElement(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
