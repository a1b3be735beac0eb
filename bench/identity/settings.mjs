// Implements the device of a case with files that the browser's process is started with.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builds, cacheFolder, fetchBuild } from './builds.mjs';

const run = promisify(execFile);

/**
 * @typedef {object} Device
 * @property {number} [cores]
 * @property {number} [memoryGib]
 * @property {string} [gpu] The renderer that the GL driver reports.
 * @property {'Open Sans added' | 'Open Sans alone'} [fonts]
 */

/** Thrown if a device cannot be simulated on this machine. Its cases are skipped, and listed as skipped. */
export class NotAvailable extends Error {}

/**
 * @param {Device} device
 * @returns {Promise<Record<string, string>>} The variables to add to the environment.
 */
export async function environmentOf({ cores, memoryGib, gpu, fonts }) {
  return {
    ...((cores || memoryGib) && { LD_PRELOAD: await compiledPreload() }),
    ...(cores && { WHORL_CORES: String(cores) }),
    ...(memoryGib && { WHORL_MEMORY_GIB: String(memoryGib) }),
    // Mesa's own setting, for programs that check the name.
    ...(gpu && { force_gl_renderer: gpu }),
    ...(fonts && { FONTCONFIG_FILE: await fontConfiguration(fonts) }),
  };
}

/**
 * Builds a library that replaces the system's functions, so that all processes and workers of the browser get the same values.
 */
async function compiledPreload() {
  const target = join(cacheFolder, 'preload.so');
  await mkdir(cacheFolder, { recursive: true });
  try {
    const source = fileURLToPath(new URL('preload.c', import.meta.url));
    await run('cc', ['-shared', '-fPIC', '-O1', '-o', target, source, '-ldl']);
  } catch (error) {
    throw new NotAvailable(`simulating cores and memory needs a C compiler: ${error}`);
  }
  return target;
}

/** @param {NonNullable<Device['fonts']>} fonts */
async function fontConfiguration(fonts) {
  const folder = await openSansFolder();
  const file = join(cacheFolder, `${fonts.replaceAll(' ', '-')}.conf`);
  const system = fonts === 'Open Sans added' ? '<dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir>' : '';
  await writeFile(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  ${system}<dir>${folder}</dir>
  <cachedir>${join(cacheFolder, 'fontconfig')}</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
`,
  );
  return file;
}

/** The newest build contains the font. */
async function openSansFolder() {
  const folder = join(await fetchBuild(builds[152]), '..', 'fonts');
  if (!existsSync(folder)) throw new NotAvailable('no build contains the font');
  return folder;
}
