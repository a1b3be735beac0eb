/** The value of a reading: what JSON can represent, without null, so that a value never stands for a failure. */
export type ReadingValue = string | number | boolean | readonly ReadingValue[];

/** Why a reading has no value. `noise` is a judgement over several readings (judge.ts), and no reading returns it. */
export type ReadingFailure = 'unsupported' | 'blocked' | 'timeout' | 'noise' | 'error';

/**
 * The result of one reading. Only `ok` values enter the fingerprint. `durationMs` runs until the reading had its result.
 * It contains the time for which it waited while others were made.
 */
export type ReadingResult =
  | { readonly status: 'ok'; readonly value: ReadingValue; readonly durationMs: number }
  | { readonly status: ReadingFailure; readonly message?: string; readonly durationMs: number };

/**
 * One measurement. Returns its value, or undefined if the browser lacks what it needs, and throws what the browser
 * throws. It never judges and never changes the page. It has no time limit of its own, because the runner enforces the
 * deadline.
 */
export type Reading = (context: ReadingContext) => ReadingValue | undefined | Promise<ReadingValue | undefined>;

/** A 2D drawing context of an off-screen or an ordinary canvas. */
export type Drawing = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** A context of WebGL 2, or of WebGL 1 where there is no other. */
export type WebGl = WebGLRenderingContext | WebGL2RenderingContext;

/** What one collection provides to its readings. */
export interface ReadingContext {
  /** Yields the main thread to the page if it is time to. Await it wherever a millisecond may have passed. */
  pause(): Promise<void>;
  /** Resolves in a new task. */
  nextTask(): Promise<void>;
  /** Returns the collection's WebGL context, or null if there is none. It is released when the collection ends. */
  webgl(): WebGl | null;
  /**
   * Starts a worker if the site provides a copy of the worker file. It is terminated when the collection ends, even
   * without a response.
   */
  worker(): Worker | undefined;
  /**
   * Returns the collection's surface for drawing and measuring text, or undefined if there is none. It is not part of
   * the page, and is kept in main memory so that reading it is fast. Readings restore its state.
   */
  drawing(): Drawing | undefined;
}
