import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const WAIT_MS = 10_000;
const POLL_MS = 50;

/** Returns the path of the file that contains the link for creating the first administrator. */
const fileIn = (folder: string) => join(folder, 'set-up-link.txt');

/** Removes the link of an earlier start. */
export async function forgetAdminLink(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}

/** Reads the link that the service created at its start. Returns undefined if there is already an administrator. */
export async function readAdminLink(serviceUrl: string, folder: string): Promise<string | undefined> {
  const signIn = await fetch(`${serviceUrl}/dashboard/sign-in`);
  if (!(await signIn.text()).includes('There is no administrator yet')) return undefined;
  // The service writes the link shortly after it starts to listen.
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(POLL_MS)) {
    const text = await readFile(fileIn(folder), 'utf8').catch(() => '');
    const link = /http\S+/.exec(text)?.[0];
    if (link !== undefined) return link;
  }
  return undefined;
}
