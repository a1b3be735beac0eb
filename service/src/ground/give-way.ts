import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Time after which long work in the background lets requests go first. One request needs many turns. */
export const sliceMs = 1;
/** If other work took longer than this in its turn, or the machine is busy, the work pauses for many times as long. */
const busyMs = 0.3;
const pauseFactor = 10;
const maxPauseMs = 100;

/** Lets other work go first. */
export async function giveWay(): Promise<void> {
  const from = performance.now();
  await nextTurn();
  const waitedMs = performance.now() - from;
  if (waitedMs > busyMs) await pause(Math.min(maxPauseMs, pauseFactor * waitedMs));
}
