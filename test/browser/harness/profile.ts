import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Profile {
  folder: string;
  /** Removes the folder if we made it. */
  dispose(): Promise<void>;
}

/** Ends a browser, and then disposes of its profile, even if that failed. */
export async function endWith(profile: Profile, end: () => Promise<void> | undefined): Promise<void> {
  try {
    await end();
  } finally {
    await profile.dispose();
  }
}

/** Returns the given folder, or a new temporary one. */
export async function openProfile(kept: string | undefined): Promise<Profile> {
  if (kept) {
    await mkdir(kept, { recursive: true });
    return { folder: kept, dispose: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'whorl-test-'));
  // Retries, because an exiting browser may still write to the folder.
  return { folder, dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}
