import { z } from 'zod';
import { dayMs, hourMs } from '../../../../ground/time.js';

const time = z.iso.datetime();

const fileState = z.object({
  bytes: z.number(),
  /** Time of the last change in the file system. With the length, it shows whether something else wrote the file. */
  changed_ms: z.number(),
  built_at: time.optional(),
  ranges: z.number().optional(),
});

const sourceState = z.object({
  /** Last check that succeeded, whether or not the publisher had a new file. */
  checked_at: time.optional(),
  /** Last new file. */
  updated_at: time.optional(),
  /** Hash of the URL, which may contain a secret, that the fields below refer to. */
  url_hash: z.string().optional(),
  etag: z.string().optional(),
  last_modified: z.string().optional(),
  /** SHA-256 of the downloaded file, before it was unpacked. */
  sha256: z.string().optional(),
  file: fileState.optional(),
  /** Failures since the last check that succeeded. */
  failures: z.number().default(0),
  error: z.object({ at: time, text: z.string() }).optional(),
});

export const stateSchema = z.object({ sources: z.record(z.string(), sourceState) });

/** What is known about the file of a source. */
export type FileState = z.output<typeof fileState>;
/** What is remembered about a source between updates. */
export type SourceState = z.output<typeof sourceState>;
export type UpdateState = z.output<typeof stateSchema>;

export const newState: SourceState = { failures: 0 };

/** Returns what is remembered about a source. */
export function stateOf({ sources }: UpdateState, name: string): SourceState | undefined {
  return Object.hasOwn(sources, name) ? sources[name] : undefined;
}

/** Returns the state after a failed update. The file and the headers of the last good one stay. */
export function failedState(state: SourceState, text: string, now: Date): SourceState {
  return { ...state, failures: state.failures + 1, error: { at: now.toISOString(), text } };
}

/** Returns whether a source is to be checked: once a day, and after failures in 1, 2, 4, 8, 16 and then 24 hours. */
export function isDue(state: SourceState | undefined, now: Date): boolean {
  if (state?.error && state.failures > 0) {
    const pauseMs = Math.min(hourMs * 2 ** (state.failures - 1), dayMs);
    return isOver(state.error.at, pauseMs, now);
  }
  return state?.checked_at === undefined || isOver(state.checked_at, dayMs, now);
}

/** A time in the future is over too: the clock was wrong. */
function isOver(since: string, pauseMs: number, now: Date): boolean {
  const passedMs = now.getTime() - new Date(since).getTime();
  return passedMs >= pauseMs || passedMs < 0;
}
