/** `AbortSignal`, also for code that is compiled without the types of the DOM or of Node. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : { readonly aborted: boolean };
