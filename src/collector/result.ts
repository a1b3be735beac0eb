/** What a reading may measure: what JSON can hold, without null, so that a value never stands for a failure. */
export type ReadingValue = string | number | boolean | readonly ReadingValue[];

/** Why a reading has no value. `noise` is a judgement over readings (judge.ts); no reading gives it. */
export type ReadingFailure = 'unsupported' | 'blocked' | 'timeout' | 'noise' | 'error';

/** What became of one reading. Only `ok` values enter the fingerprint. */
export type ReadingResult =
  | { readonly status: 'ok'; readonly value: ReadingValue; readonly durationMs: number }
  | { readonly status: ReadingFailure; readonly message?: string; readonly durationMs: number };

/**
 * One measurement. Answers its value, or undefined where the browser does not have what it needs; throws what the
 * browser throws. It never judges, never touches the page, and may take as long as it likes: the runner has the
 * deadline.
 */
export type Reading = (context: ReadingContext) => ReadingValue | undefined | Promise<ReadingValue | undefined>;

/** A drawing context, of a canvas off-screen or not. */
export type Drawing = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** What one collection lends to its readings. */
export interface ReadingContext {
  /**
   * Lets the page have the main thread for a moment, if it is due. To be awaited wherever a millisecond may have
   * passed.
   */
  pause(): Promise<void>;
  /** Resolves in a new task. */
  nextTask(): Promise<void>;
  /**
   * The collection's one WebGL context, or undefined where there is none. It is given back when the collection ends.
   */
  webgl(): WebGLRenderingContext | undefined;
  /**
   * Starts a worker, where the site put a copy of the script-tag file for it. It is ended when the collection ends,
   * answered or not.
   */
  worker(): Worker | undefined;
  /**
   * The collection's one surface for drawing and measuring text, or undefined where there is none. It is not in the
   * page, and is kept in main memory so that reading it is cheap. Readings leave it as they found it.
   */
  drawing(): Drawing | undefined;
}
