import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Time after which long work in the background lets requests go first. */
export const sliceMs = 1;
/** Between slices while requests arrive: background work takes a fifth of the time. */
const pauseMs = 4;
/** After so long without a request, background work takes all of the time. */
const quietMs = 100;
const maxPauseMs = 100;

/** Requests in progress in this process, and when the last one ended. */
let requests = 0;
let lastEndedAt = Number.NEGATIVE_INFINITY;

/** Handles a request, for which work in the background gives way. */
export async function asRequest<Result>(handle: () => Promise<Result>): Promise<Result> {
  requests += 1;
  try {
    return await handle();
  } finally {
    requests -= 1;
    lastEndedAt = performance.now();
  }
}

/** Does long work for a request, which then gives way to the other requests as work in the background does. */
export async function asBackground<Result>(work: () => Promise<Result>): Promise<Result> {
  // None on the command line.
  const own = Math.min(requests, 1);
  requests -= own;
  try {
    return await work();
  } finally {
    requests += own;
  }
}

/** Whether work in the background has the process to itself. */
export function isQuiet(): boolean {
  return requests === 0 && performance.now() - lastEndedAt > quietMs;
}

/** Lets other work go first. While requests arrive, it pauses, and waits until none is in progress, for at most 100 ms. */
export async function giveWay(): Promise<void> {
  await nextTurn();
  if (isQuiet()) return;
  let paused = 0;
  do {
    await pause(pauseMs);
    paused += pauseMs;
  } while (requests > 0 && paused < maxPauseMs);
}
