import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launch } from 'puppeteer-core';
import { found } from './found';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/whorl', import.meta.url));
/** Files of a running browser, and data that it makes again. */
const UNUSED = /\/(?:lock|\.parentlock|cache2|user\.js)$/;

let prepared: Promise<string> | undefined;

/**
 * Copies a profile into an empty folder, with which Firefox has started once and visited nothing. The first start with
 * an empty folder takes twice as much processor time.
 */
export async function copyStartedProfile(folder: string): Promise<void> {
  prepared ??= prepare();
  await cp(await prepared, folder, { recursive: true, filter: (path) => !UNUSED.test(path) });
}

/** Returns the folder of a profile for this version of Firefox, which is made once. */
async function prepare(): Promise<string> {
  const program = found('firefox');
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const kept = join(cache, `firefox-profile-${stdout.trim().replaceAll(/\W+/g, '-')}`);
  if (existsSync(kept)) return kept;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  const browser = await launch({ browser: 'firefox', executablePath: program, headless: true, userDataDir: draft });
  await browser.close();
  // Another process may have been faster.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true }));
  return kept;
}
