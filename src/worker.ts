import { createDrawing, createWebgl } from './collector/context.js';
import { readClaims } from './collector/descriptor.js';
import { now } from './collector/now.js';
import { cores } from './collector/readings/cores.js';
import { fonts } from './collector/readings/fonts.js';
import { glExtensions } from './collector/readings/gl-extensions.js';
import { glParameters } from './collector/readings/gl-parameters.js';
import { gpu } from './collector/readings/gpu.js';
import { locale } from './collector/readings/locale.js';
import { memory } from './collector/readings/memory.js';
import { memoryFrom8 } from './collector/readings/memory-from-8.js';
import { metrics } from './collector/readings/metrics.js';
import { raster } from './collector/readings/raster.js';
import { scripts } from './collector/readings/scripts.js';
import { text } from './collector/readings/text.js';
import { timezone } from './collector/readings/timezone.js';
import type { Drawing, Reading, ReadingContext, ReadingValue, WebGl } from './collector/result.js';

/** The drawings come before WebGL, whose first call may take longest. */
const readings: Readonly<Record<string, Reading>> = {
  cores,
  memory,
  memoryFrom8,
  locale,
  timezone,
  raster,
  text,
  metrics,
  scripts,
  gpu,
  glParameters,
  glExtensions,
};

let drawing: Drawing | undefined;
let gl: WebGl | null | undefined;

/** Nothing in the worker needs pauses, and the page terminates it, which releases everything. */
const context: ReadingContext = {
  pause: async () => {},
  nextTask: async () => {},
  worker: () => undefined,
  webgl() {
    if (gl === undefined) gl = createWebgl(new OffscreenCanvas(1, 1));
    return gl?.isContextLost() ? null : gl;
  },
  drawing() {
    drawing ??= createDrawing();
    return drawing;
  },
};

/**
 * The worker file. Posts what the browser reports about itself, and the name of each reading with its value and its
 * duration in milliseconds, once. A reading without a value is left out, and the page makes it. The page has the
 * deadline. In a page, the file does nothing.
 */
async function post(): Promise<void> {
  const told: ReadingValue[] = [];
  const tell = async (name: string, reading: Reading) => {
    const startedAt = now();
    try {
      const value = await reading(context);
      if (value !== undefined) told.push([name, value, now() - startedAt]);
    } catch {
      // The page makes it.
    }
  };
  // Mostly waits. The others follow one another, so that no duration contains that of another.
  const waiting = tell('fonts', fonts);
  for (const [name, reading] of Object.entries(readings)) await tell(name, reading);
  await waiting;
  postMessage([readClaims(), ...told]);
}

if (typeof document === 'undefined') post();
