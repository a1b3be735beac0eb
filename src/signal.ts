/** `AbortSignal`, also for code that is compiled without the types of the DOM or Node. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : { readonly aborted: boolean };
